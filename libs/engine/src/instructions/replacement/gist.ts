import { ownCopy } from '../../messages/own-copy.js';
import { matterOf, stem, type Matter } from '../matter.js';
import { choicesIn, thingsIn } from './concepts.js';
import { valuesIn, type Values } from './values.js';

/** What two instructions are compared by. */
export interface Gist extends Wording {
  readonly matter: Matter;
}

/** How an instruction is worded. */
interface Wording {
  /** Its words, numbers and marks in order after "please" and the like, in lower case. Of a long text the first ones. */
  tokens: readonly string[];
  /** Stems of all its words but the smallest. */
  stems: ReadonlySet<string>;
  /** The things that it names, and the choices that it makes, by number. */
  things: ReadonlySet<number>;
  choices: ReadonlyMap<number, ReadonlySet<number>>;
  values: Values;
  /** The stem of its first word, after "please" and the like. */
  verb: string;
  /** How it refers to what was said before, and whom or what it takes in. */
  marks: ReadonlySet<string>;
  words: number;
}

const leadIn =
  /^(?:please|pls|kindly|could you|can you|i want you to|i'd like you to|you should|you must|always|never|do not|don't|dont|make sure (?:to|you|that you)|be sure to|ok(?:ay)?|so|and|also|by the way|btw|one more thing|actually|well|from now on|going forward|in future|for the rest[^,]*)[,:]?\s+/;
const maxLeadIns = 4;

const marks: readonly (readonly [string, RegExp])[] = [
  ['instead', /\b(?:instead|rather than|in place of|replac\w+|not \w+ but|swap\w*)\b/],
  [
    'now',
    /\b(?:now|these days|nowadays|as of|starting|from (?:today|tomorrow|now|next|this)|since|lately|meanwhile|in the meantime)\b/,
  ],
  [
    'changed',
    /\b(?:chang\w+|switch\w*|mov(?:e|ed|ing) (?:to|over)|updat\w+|new|revis\w+|correct\w*|actually|on second thought|turns? out|decided|after all|make (?:that|it)|lost|retired|left|gone|over|ended|finished|expired|lifted)\b/,
  ],
  [
    'forget',
    /\b(?:forget|ignore|scrap|scratch|drop|disregard|cancel\w*|void|undo|revoke\w*|withdraw\w*|rule (?:about|on|of|that)|that rule|what i said|i said|i asked|i told)\b/,
  ],
  [
    'no-more',
    /\b(?:no longer|any ?more|any longer|not needed|no need|needn't|don't (?:need|have|bother)|stop|quit|enough|unnecessary|no more|without)\b/,
  ],
  [
    'fine',
    /\b(?:fine|ok|okay|allowed|welcome|free to|feel free|may|can|are good|is good|fair game|go ahead|doesn't matter|don't (?:mind|care)|whatever|acceptable|permitted|optional)\b/,
  ],
  ['again', /\b(?:again|back to|back on|resume|return to|restore)\b/],
  [
    'more',
    /\b(?:more|longer|shorter|less|fewer|higher|lower|earlier|later|better|too \w+|up to|down to|at least|at most|raised?|lower|lowered|increase\w*|reduce\w*|extend\w*|double\w*)\b/,
  ],
  ['also', /\b(?:also|too|as well|in addition|additionally|plus|besides|on top of|both)\b/],
  ['that', /\b(?:that one|those|that rule|this rule|the rule|them|it)\b/],
  ['only', /\b(?:only|just|nothing but|exclusively|solely|alone)\b/],
  ['all', /\b(?:all|every|everything|everyone|each|any|whole|entire|everywhere|always)\b/],
  ['if', /\b(?:if|when|whenever|unless|except|until|while|before|after|once)\b/],
  ['why', /\b(?:because|since|so that|as (?:i|we|my|the)|so (?:i|we|please|use|send))\b/],
];

const smallWords = new Set(
  "a an the and or but so if then than that this these those it its is are was were be been being am do does did of in on at to for from with by as i i'd i'll i've me my we us our you your".split(
    ' ',
  ),
);

const token = /\p{L}+(?:'\p{L}+)?|\d[\d.,:]*|[?!;:—–]/gu;
/** Longer instructions are not compared by their tokens. */
const maxTokens = 40;

/** By text: each fold of a thread compares the same instructions again. About six megabytes, with the scores of their pairs. */
const known = new Map<string, Gist>();
const maxKnown = 2_000;

/** Reads an instruction as far as it takes to compare it with others. The same text gives the same object for a while. */
export function gistOf(text: string): Gist {
  const before = known.get(text);
  if (before !== undefined) return before;
  const own = ownCopy(text);
  const gist = new ReadGist(own);
  if (known.size >= maxKnown) known.clear();
  known.set(own, gist);
  return gist;
}

/** Read once. Of most instructions only the matter is compared, so their wording is read when it is asked for. */
class ReadGist implements Gist {
  readonly matter: Matter;
  private read: Wording | undefined;

  constructor(private readonly text: string) {
    this.matter = matterOf(text);
  }

  private get wording(): Wording {
    return (this.read ??= wordingOf(this.text));
  }
  get tokens() {
    return this.wording.tokens;
  }
  get stems() {
    return this.wording.stems;
  }
  get things() {
    return this.wording.things;
  }
  get choices() {
    return this.wording.choices;
  }
  get values() {
    return this.wording.values;
  }
  get verb() {
    return this.wording.verb;
  }
  get marks() {
    return this.wording.marks;
  }
  get words() {
    return this.wording.words;
  }
}

function wordingOf(text: string): Wording {
  const lower = text.toLowerCase().replace(/[’‘`]/g, "'");
  const words = lower.match(/[\p{L}\p{N}][\p{L}\p{N}'_./-]*[\p{L}\p{N}]|\p{L}/gu) ?? [];
  const stems = new Set(
    words.filter((word) => !smallWords.has(word)).map((word) => stem(word.replace(/'s$/, ''))),
  );
  const withParts = [...stems].flatMap((one) => [one, ...one.split('-').slice(one.includes('-') ? 0 : 1)]);
  return {
    tokens: (withoutLeadIns(lower.trim()).match(token) ?? []).slice(0, maxTokens),
    stems,
    things: thingsIn(withParts),
    choices: choicesIn(withParts),
    values: valuesIn(text),
    verb: stem(/^[\p{L}'-]+/u.exec(withoutLeadIns(lower.trim()))?.[0] ?? ''),
    marks: new Set(marks.filter(([, pattern]) => pattern.test(lower)).map(([name]) => name)),
    words: words.length,
  };
}

function withoutLeadIns(text: string): string {
  let rest = text;
  for (let i = 0; i < maxLeadIns && leadIn.test(rest); i++) rest = rest.replace(leadIn, '');
  return rest;
}
