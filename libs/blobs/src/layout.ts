/** Media are one blob for the same bytes in a project. */
export const mediaKey = (project: string, sha256: string, extension: string): string =>
  `${project}/media/${sha256}.${extension}`;
