/** What a tool of the desk will not do, and why. The caller gets it as an answer that is an error. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
