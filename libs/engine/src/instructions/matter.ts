import { isEnglish } from './languages/is-english.js';

/** The matter of an instruction: the topics on which only one word can hold at a time, and its other words. */
export interface Matter {
  /** Such as `language`, `length` or `units`; of a named thing `language of mail`. */
  topics: ReadonlySet<string>;
  /** Stems of the words that say what it is about. Of another language than English all words: which of them do is not known. */
  words: ReadonlySet<string>;
  isEnglish: boolean;
  /** It rules out (`-1`), allows (`1`) or just says how (`0`). */
  sign: -1 | 0 | 1;
}

/** Topics on which a newer word replaces an older one, whatever else differs. */
const topics: readonly (readonly [string, RegExp])[] = [
  [
    'language',
    /\b(?:english|german|french|spanish|italian|portuguese|dutch|swedish|danish|norwegian|finnish|polish|russian|ukrainian|turkish|arabic|hebrew|hindi|japanese|chinese|mandarin|korean|greek|czech)\b/,
  ],
  [
    'length',
    /\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|terse|succinct(?:ly)?|verbose|detailed|in detail|more detail|in full|at length|long(?:er)?|(?:one|two|three|four|five|six|seven|eight|ten|\d+) (?:words?|sentences?|paragraphs?|lines?|bullets?|bullet points)|(?:under|below|at most|within|over|than|max(?:imum)?) (?:\d+|a hundred|fifty|one|two|three|four|five) (?:words?|sentences?|lines?|characters?|paragraphs?|bullets?))\b/,
  ],
  [
    'units',
    /\b(?:metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s?|miles|kilos?|kilograms?|pounds and|inches|feet)\b/,
  ],
  // An amount is about something else.
  ['currency', /(?<!\d ?)\b(?:euros?|eur|dollars?|usd|gbp|pounds|chf|francs|yen|jpy|sek|crowns)\b(?! ?\d)/],
  // Who asks not to be called, or only at some time, speaks of the telephone.
  [
    'name',
    /\b(?:address me|refer to me|my name is|i go by|call me(?!$| ?[,.;:!?]| (?:at|on|in|after|before|between|until|back|later|only|again|if|when|unless|by|with|about|to|tomorrow|today)\b))\b/,
  ],
  [
    'date format',
    /\b(?:iso ?-?8601|iso dates?|yyyy|dd\/mm|mm\/dd|dd\.mm|date format|(?:write|format|show|put) (?:all |the |your )?dates)\b/,
  ],
  [
    'time zone',
    /\b(?:utc|gmt|time ?zones?|local time|\w+ time zone|c[e]?st|pst|est|pacific time|eastern time)\b/,
  ],
  ['clock', /\b(?:24-?h(?:our)?|12-?h(?:our)?|am\/pm|a\.m\.)\b/],
  [
    'tone',
    /\b(?:formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|friendly|playful|serious|professional|humorous|tone|first names?|sie|du)\b/,
  ],
  ['bullets', /\b(?:bullets?|bullet points?|bulleted|numbered lists?|prose|paragraphs|flowing text)\b/],
  ['emoji', /\bemojis?\b/],
  ['budget', /\b(?:budget|spend(?:ing)?|spending limit|price cap|afford)\b/],
  ['seat', /\b(?:aisle|window|middle) (?:seats?)?\b/],
  ['indentation', /\b(?:tabs|spaces|indent\w*)\b/],
  ['package manager', /\b(?:npm|pnpm|yarn|bun)\b/],
  ['test runner', /\b(?:vitest|jest|mocha|ava|pytest|unittest)\b/],
  ['spelling', /\b(?:british|american|us|uk) (?:spelling|english)\b/],
];

/**
 * What an instruction is about that must be the same for one to replace the other: answers to me, mails, commits. Some
 * tell only one topic apart.
 */
const objects: readonly (readonly [name: string, pattern: RegExp, ofTopic?: string])[] = [
  ['mail', /\b(?:e-?mails?|mails?|newsletters?|letters?|subject lines?)\b/],
  ['commit', /\b(?:commits?|commit messages?)\b/],
  ['code', /\b(?:code|comments?|functions?|variables?|identifiers|docstrings?)\b/],
  ['report', /\b(?:reports?|documents?|docs|documentation|slides?|minutes|notes)\b/],
  ['summary', /\b(?:summar(?:y|ies)|recaps?)\b/],
  ['title', /\b(?:titles?|headings?|headlines?)\b/],
  ['customer', /\b(?:customers?|clients?|guests?|patients?)\b/],
  ['ticket', /\b(?:tickets?|issues?)\b/],
  ['hotel', /\b(?:hotels?|lodging)\b/, 'budget'],
  ['flight', /\b(?:flights?|air ?fares?)\b/, 'budget'],
];

const stopWords = new Set(
  'a an the and or but so if then than that this these those it its is are was were be been being am do does did done don not no never always only ever any all every each some more most least much many very really just also please kindly thanks thank you your yours i me my mine we us our ours he she they them his her their of in on at to for from with without by as into onto about over under up down out off again now again anymore longer after before until unless while when whenever where what which who how why will would shall should can could may might must need needs have has had get got let lets make sure ensure keep use using want like prefer rather instead actually change changed mind update go going forward rest session conversation one thing here there too still even yet okay ok yes from now first ask tell say time times way day free feel allowed allow forget ignore scratch earlier previous rule said anything everything something nothing anyone everyone someone nobody else'.split(
    ' ',
  ),
);

const negative =
  /\b(?:don't|do not|dont|never|no|not|avoid|stop|refrain|without|mustn't|can't|cannot|shouldn't|won't|nothing|nobody|forbidden|off[- ]limits|frozen|untouched|unchanged|didn't|hands off|skip|drop|omit|leave out|keep out)\b/;
const positive =
  /\b(?:you (?:may|can)|you(?:'re| are) (?:now )?(?:free|allowed|welcome|permitted)|feel free|go ahead|it's (?:ok|okay|fine)|(?:is|are) (?:now )?(?:ok|okay|fine|allowed)|no need to|don't (?:need|have) to|no longer (?:need to|have to|off[- ]limits|forbidden|frozen|banned)|again|after all)\b/;

/** Reads what an instruction is about. Only an English one has topics: "du" is a tone in English and a person in German. */
export function matterOf(text: string): Matter {
  const lower = text.toLowerCase().replace(/[’‘`]/g, "'");
  const english = isEnglish(text);
  const found = new Set<string>();
  const objectsIn = objects.filter(([, pattern]) => pattern.test(lower));
  for (const [topic, pattern] of english ? topics : []) {
    if (!pattern.test(lower)) continue;
    const of = objectsIn.filter(([, , ofTopic = topic]) => ofTopic === topic);
    if (of.length === 0) found.add(topic);
    for (const [object] of of) found.add(`${topic} of ${object}`);
  }
  const words = new Set(
    (lower.match(/[\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]|\p{L}/gu) ?? [])
      .filter((word) => !stopWords.has(word) && word.length > 1)
      .map(stem),
  );
  const sign = positive.test(lower) ? 1 : negative.test(lower) ? -1 : 0;
  return { topics: found, words, sign, isEnglish: english };
}

/** A crude stem: enough to see that "pushing" and "pushes" are of "push". */
export function stem(word: string): string {
  if (/[\d/.]/.test(word)) return word;
  const cut = word.length < 4 ? word : word.replace(/(?:ing|edly|ed|ies|es|s|ly)$/, '');
  return cut.length >= 3 ? cut.replace(/(.)\1$/, '$1').replace(/[ey]$/, '') : word;
}

/** Do both name topics, and none that is the same? */
export const areOnOtherTopics = ({ topics: a }: Matter, { topics: b }: Matter): boolean =>
  a.size > 0 && b.size > 0 && ![...a].some((topic) => b.has(topic));

/** How many members both sets have. */
export function inBoth<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  let both = 0;
  for (const one of a) if (b.has(one)) both++;
  return both;
}
