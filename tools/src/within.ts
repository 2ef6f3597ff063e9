import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number. */
export const within =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return number;
  };
