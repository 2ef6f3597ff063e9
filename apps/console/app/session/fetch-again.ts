/**
 * `fetch` from the API. A connection that was idle may be closed by the API in the moment in which it is used again: what
 * only reads is asked for once more then.
 */
export async function fetchAgain(input: string | URL | Request, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    const method = init.method ?? (input instanceof Request ? input.method : 'GET');
    if (init.signal?.aborted || !/^(GET|HEAD)$/.test(method)) throw error;
    return fetch(input, init);
  }
}
