/** A refusal of the desk with its reason. The caller gets it as an error result. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
