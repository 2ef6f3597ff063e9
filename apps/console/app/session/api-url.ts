/** Where the API is, read when a request needs it: the same build runs everywhere. */
export const apiUrl = (): string => (process.env.API_URL ?? 'http://127.0.0.1:4000').replace(/\/+$/, '');

/** Where people reach the API, for the commands they copy: inside a container its address may be another. */
export const publicApiUrl = (): string => (process.env.API_PUBLIC_URL ?? apiUrl()).replace(/\/+$/, '');
