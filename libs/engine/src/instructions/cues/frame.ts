import { cachedByWord } from '../../messages/cached-by-text.js';
import type { OnCue } from './cue.js';

/**
 * The frame of a sentence: who or what it begins with, when that happens, what it is about, and whether words bind it
 * to a moment or to all times. "Validate the form in B4" and "Validate all input" begin alike and differ here.
 */

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const byWord = (classes: Record<string, string>): ReadonlyMap<string, string> =>
  new Map(Object.entries(classes).flatMap(([name, words]) => words.split(' ').map((word) => [word, name])));

const tenses = byWord({
  be: "is are am isn't aren't i'm it's that's there's you're we're they're he's she's what's who's",
  have: "has have hasn't haven't i've you've we've they've",
  will: "will won't i'll you'll we'll he'll she'll they'll it'll",
  modal: "should must may might can could shall would can't cannot couldn't shouldn't mustn't ought",
  do: "do does don't doesn't",
  past: "didn't was were had did went came got said told made took saw found left gave bought sent paid lost kept met felt held knew thought brought became began broke chose fell flew forgot grew heard led meant ran rose sat sold spoke spent stood taught threw won wore wrote ate drank drove slept sang swam understood woke built caught fought hid hit hung lay lent lit rode rang sank shook shot shut stole stuck struck swore tore wound been done gone seen taken given written broken chosen forgotten shown known",
});
const noPast = setOf('need feed speed embed exceed proceed indeed');
const negations = setOf(
  "don't not never no nothing nobody none dont can't cannot won't isn't aren't mustn't shouldn't doesn't without neither nor",
);
/** Words that bind to a moment, or to one of several. */
const moments = setOf(
  'today tonight tomorrow yesterday now yet already currently just again still ago once attached above below following here there monday tuesday wednesday thursday friday saturday sunday morning afternoon evening noon minute moment second first next last latest previous another other',
);
/** Words that bind to all times or things. */
const generals = setOf(
  'always never every each any all whenever anything anyone anybody everything everyone nothing nobody generally throughout everywhere unless wherever whatever whoever otherwise only ever',
);

const subjects = byWord({
  i: "i i'm i'd i'll i've",
  we: "we we're we'd we'll we've let's",
  you: "you you're you'll u you'd ur you've",
  it: "it it's this that that's there there's these those he she they he's she's they're",
  my: 'my',
  our: 'our',
  the: 'the',
  a: 'a an some',
  no: 'no nothing nobody none neither',
  all: 'all every each any everything everyone anything anyone both most',
  condition:
    'if when whenever once before after until unless while as whatever whoever wherever however given in on for with at otherwise during',
  wh: 'what who which why how where whose',
  not: "don't do never not dont stop avoid",
  auxiliary: 'can could would will should does did is are am have has may shall might',
});
const objects = byWord({
  the: 'the',
  this: 'this that these those',
  my: 'my our',
  your: 'your',
  theirs: 'his her their him them',
  it: 'a an it me us',
  all: 'all every each any no anything everything nothing',
});

const noPlural =
  /(?:ss|us|is)$|^(?:yes|always|perhaps|times|as|was|has|its|thus|plus|less|unless|news|does|goes|says)$/;
const isPlural = (word: string): boolean => word.length > 3 && word.endsWith('s') && !noPlural.test(word);
/** A name within a sentence. */
const named = /[a-z,] (?!I\b)[A-Z][a-z]/;
const token = /[\p{Ll}]+(?:'[\p{Ll}]+)?|\d[\d.,:]*/gu;

/** What a word says in any sentence. */
const wordOf = cachedByWord((word) => ({
  tense: tenseOf(word),
  isNegation: negations.has(word),
  isMoment: moments.has(word),
  isGeneral: generals.has(word),
  number: /^\d/.test(word) ? (/^\d{3}|:/.test(word) ? 'long' : 'short') : null,
  object: objects.get(word) ?? (isPlural(word) ? 'plural' : ''),
}));

function tenseOf(word: string): string | null {
  const isPast = word.length > 4 && word.endsWith('ed') && !noPast.has(word);
  return tenses.get(word) ?? (isPast ? 'past' : null);
}

function subjectOf(first: string, isOrder: boolean): string {
  if (isOrder) return 'order';
  return subjects.get(first) ?? (isPlural(first) ? 'plural' : 'other');
}

/**
 * Calls back with the cues of the frame, alone and together, and each word with the subject. `sentence`: as it was
 * written; `rest`: in lower case, without its lead-in; `isOrder`: whether that begins with a bare verb.
 */
export function frameOf(sentence: string, rest: string, isOrder: boolean, onCue: OnCue): void {
  const words = rest.match(token) ?? [];
  const isQuestion = /\?["')]*\s*$/.test(sentence);
  const subject = `${isQuestion ? 'ask.' : ''}${subjectOf(words[0] ?? '', isOrder)}`;
  const takesObject = isOrder || subject === 'not';
  let tense: string | null = null;
  let object = '';
  let number = '';
  let isNegated = false;
  let momentWords = 0;
  let isGeneral = false;
  words.forEach((text, i) => {
    const word = wordOf(text);
    // "Put", "Cut" and "Shut" are orders in first place.
    if (i > 0 || word.tense !== 'past') tense ??= word.tense;
    isNegated ||= word.isNegation;
    isGeneral ||= word.isGeneral;
    if (word.isMoment) momentWords++;
    if (word.number !== null) number = word.number === 'long' ? 'long' : number || 'short';
    if (object === '' && i > (takesObject ? 0 : 1)) object = word.object;
  });
  const isNamed = named.test(sentence);
  const moment = momentWords > 0 ? 'moment' : '';
  const general = isGeneral ? 'general' : '';
  const one = isNamed || number === 'long' ? 'named' : '';
  const when = tense ?? 'none';
  const not = isNegated ? 'not' : '';
  onCue('f:', subject);
  onCue('f:', subject, when);
  onCue('f:', subject, not, when);
  onCue('f:', subject, object);
  onCue('f:', subject, moment, general);
  onCue('f:', subject, when, moment, general);
  onCue('f:', subject, object, moment);
  onCue('f:', subject, object, one);
  onCue('f:', subject, one, moment);
  onCue('f:', when, object);
  onCue('f:', when, moment, general);
  onCue('f:number:', number);
  for (const word of words) onCue('with:', subject, word);
  if (isNamed) onCue('f:', 'named');
  if (momentWords > 1) onCue('f:', 'moments');
  if (moment && general) onCue('f:', 'moment+general');
}
