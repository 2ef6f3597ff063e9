import { randomFrom, type Random } from '../faulty-runs/faulty-run.js';

/** A text of one kind, in which one record is unlike the others. */
export interface OddLine {
  name: string;
  /** Records of the text, without the odd one. */
  size: number;
  /** What one of them says. */
  usual: (i: number, random: Random) => string;
  /** The odd one, and what of it a reader needs to see. */
  odd: (i: number, random: Random) => { text: string; cause: string[] };
  /** Puts the records together; lines unless it says otherwise. */
  join?: (records: readonly string[]) => string;
  /** Records are no lines: prefixes of lines would break the text. */
  isWhole?: true;
}

export interface MadeText {
  name: string;
  text: string;
  cause: string[];
  isWhole: boolean;
}

/** Where the odd record stands, as shares of the text: a head and a tail of it show neither. */
const places = [0.13, 0.48, 0.86];

/** Each family with its odd record at several places. */
export function makeText(family: OddLine, seed: number): MadeText[] {
  return places.map((place, n) => {
    const random = randomFrom(seed + n * 7_919 + family.name.length);
    const at = Math.floor(place * family.size) + random(7);
    const records = Array.from({ length: family.size }, (_, i) => family.usual(i, random));
    const { text, cause } = family.odd(at, random);
    records.splice(at, 0, text);
    return {
      name: `${family.name}, at ${Math.round(100 * place)} %`,
      text: family.join ? family.join(records) : `${records.join('\n')}\n`,
      cause,
      isWhole: family.isWhole ?? false,
    };
  });
}

const names =
  'cart,order,ledger,price,stock,refund,coupon,invoice,parcel,address,token,session,account,basket,audit,search,image,report,queue,mailer';
export const words = names.split(',');

export const word = (random: Random): string => words[random(words.length)]!;
export const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random(16).toString(16)).join('');
