/** The API's address, read per request: the same build runs everywhere. */
export const apiUrl = (): string =>
  (process.env.API_URL?.trim() || 'http://127.0.0.1:4000').replace(/\/+$/, '');

/** The API's public address, for commands to copy: inside a container the internal one may differ. */
export const publicApiUrl = (): string =>
  (process.env.API_PUBLIC_URL?.trim() || apiUrl()).replace(/\/+$/, '');
