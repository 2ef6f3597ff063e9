/** Where the API is, read when a request needs it: the same build runs everywhere. */
export const apiUrl = (): string => (process.env.API_URL ?? 'http://127.0.0.1:4000').replace(/\/+$/, '');
