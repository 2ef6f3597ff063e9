import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number. */
export const within =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < min || number > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  };
