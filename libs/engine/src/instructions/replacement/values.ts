/** What an instruction gives a value to, by the kind of value: when, how much, where to, who. */
export type Values = ReadonlyMap<ValueKind, ReadonlySet<string>>;

export const valueKinds = ['quoted', 'place', 'clock', 'money', 'measure', 'code', 'number', 'name'] as const;
export type ValueKind = (typeof valueKinds)[number];

const numberWords = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, i) => [word, String(i + 1)]),
);
const asNumber = (text: string): string =>
  numberWords.get(text) ?? text.replace(/(?<=\d)[, ](?=\d{3})/g, '').replace(/\.0+$/, '');

/** Read in this order; what one kind has taken is no other's. */
const patterns: readonly (readonly [ValueKind, RegExp])[] = [
  ['quoted', /"[^"\n]{1,60}"|“[^”\n]{1,60}”|(?<!\p{L})'[^'\n]{2,60}'(?!\p{L})|`[^`\n]{1,60}`/gu],
  [
    'place',
    /\b[a-z0-9]+:\/\/\S+|(?<![\w/])[#@~]?[\w.-]*\/[\w./-]+|(?<!\S)[#@][\w-]+|\b[\w-]+\.[a-z]{2,5}\b(?!\.)/giu,
  ],
  [
    'clock',
    /\b(?:\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}(?= in the (?:morning|evening|afternoon))|noon|midnight)(?!\w)/giu,
  ],
  [
    'money',
    /[€$£]\s?\d[\d.,]*k?|\b\d[\d.,]*k? ?(?:euros?|eur|dollars?|usd|pounds?|gbp|chf|francs?|yen|bucks|quid|€|\$)/giu,
  ],
  [
    'measure',
    /(?<![\w.])(?:\d[\d.,]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?(?= (?:hour|day|week|fortnight|month|minute|page)))[ -]?(?:%|°\w?|\p{L}{1,14})/giu,
  ],
  ['code', /\b(?=[\w.-]*\d)(?=[\w.-]*[a-z])[\w.-]{2,}\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z]{2,}\b/gu],
  [
    'number',
    /(?<![\w.])(?:\d[\d.,]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/giu,
  ],
  ['name', /(?<=[\p{Ll}\d,;:)] (?:['"(])?)\p{Lu}[\p{Ll}]+(?: \p{Lu}[\p{Ll}]+)*/gu],
];
/** Words after a number that are no unit of it. */
const noUnit =
  /^(?:and|or|of|to|in|on|at|per|for|is|are|the|a|if|times?|as|by|from|with|before|after|not|please|max)$/;
const noName =
  /^(?:I|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?|January|February|March|April|May|June|July|August|September|October|November|December)$/;

/** Reads the values in a text, each kind's in one spelling. */
export function valuesIn(text: string): Values {
  let rest = text.replace(/[’‘]/g, "'");
  const found = new Map<ValueKind, Set<string>>();
  const keep = (kind: ValueKind, value: string) => found.set(kind, (found.get(kind) ?? new Set()).add(value));
  for (const [kind, pattern] of patterns) {
    rest = rest.replace(pattern, (match: string) => {
      if (kind === 'name' && noName.test(match)) return match;
      if (kind === 'measure') {
        const [, amount, unit] = /^(.+?)[ -]?([^\d., -]+)$/u.exec(match.toLowerCase()) ?? [];
        if (amount === undefined || unit === undefined) return match;
        if (noUnit.test(unit)) {
          keep('number', asNumber(amount));
          return ' ';
        }
        keep('measure', `${asNumber(amount)} ${unit.replace(/s$/, '')}`);
        return ' ';
      }
      keep(
        kind,
        kind === 'number' ? asNumber(match.toLowerCase()) : match.toLowerCase().replace(/[\s,]|[.:;]+$/g, ''),
      );
      return ' ';
    });
  }
  return found;
}

/** The units of measures: `minute` of `20 minute`. */
export const unitsOf = (measures: ReadonlySet<string>): Set<string> =>
  new Set([...measures].map((measure) => measure.slice(measure.indexOf(' ') + 1)));
