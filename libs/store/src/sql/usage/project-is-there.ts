/** Of the project in $1: counts come late, and rows of an erased project would stay. */
export const projectIsThere = 'EXISTS (SELECT FROM projects WHERE id = $1::uuid AND erased_at IS NULL)';
