import { oneOf } from './one-of.js';

/** A finite verb: a clause that has one tells something and is no fragment. */
const tells =
  /\b(?:is|was|were|am|are|isn't|aren't|wasn't|has|had|have|did|does|do|don't|doesn't|didn't|went|came|got|gets|gave|made|took|said|says|will|would|could|can|can't|seems?|looks?|works?|worked|failed|fails|arrived|helped|shows?|happened|sounds?|left|came|means?|makes|takes|goes|comes|needs|wants|keeps|leaves|gives|lets|brings|causes|returns|exists|remains|stays|runs|appears|matters|applies|becomes|turns|starts|ends|breaks|costs|feels|counts|beats|i|i'm|i've|it's|that's|there's|we're|they|he|she)\b/;

/** The words after which a fragment gives its reason, or its condition. */
const reason =
  /(?:,| -|;|:)? (?:because|since|as (?:i|we)\b|my|our|so that|unless|until|without|except|even though|even if|or)\b.*$/;

const forbidding = oneOf([
  // No X, zero X.
  /^(?:absolutely |definitely |strictly |zero |no more )*(?:no|zero|none of (?:the|that|those)|nothing (?:that|from|with|about|but|by|after|before|on|via|bigger|larger|longer|older|cheaper|pricier|fancy)|not a single)\b (?!(?:one|problem|thanks?|need|worries|idea|doubt|longer|matter|way|such|more than|other|luck|hurry|rush|wonder|reason|clue|offen[sc]e|pressure|answer|reply|response|success|news|change|difference|sign|trace|errors?|results?|sooner|further|stress|sweat|fuss|harm|biggie|big deal|hard feelings|kidding|joke)\b)\S/,
]);
/** A language, unit, currency, clock, case or layout that a text can be in. */
const notation =
  /^(?:(?:swiss|us|canadian|australian|local|simple|correct|proper|british|american) )?(?:english|german|french|spanish|italian|portuguese|dutch|swedish|danish|norwegian|finnish|polish|russian|ukrainian|turkish|arabic|hebrew|hindi|japanese|chinese|mandarin|korean|greek|czech|celsius|fahrenheit|kelvin|metric|imperial|kilomet\w+|miles|euros?|eur|usd|chf|dollars|francs|gbp|pounds|yen|utc|gmt|c?est|cet|pst|local time|24-?h\w*|12-?h\w*|iso\b.*|yyyy.*|dd.*|capitals|capital letters|lower ?case|upper ?case|title case|sentence case|\w+_case|camelcase|pascalcase|kebab-case|bold|italics|brackets|quotes|markdown|json|yaml|csv|tables?|bullets?|bullet points?|prose|plain \w+|(?:the )?(?:imperative|passive|active|present|past|first person|third person)\b.*|(?:full|short|whole) \w+)/;
/** X in a notation; a notation alone. */
const inNotation = /^(?:(?!(?:the|this|that|a|an|one)\b)(?:[\w'/-]+ ){1,5}|only |always )?in (?=\w)/;

/** "(All) temperatures in Celsius", "in English". */
function isInNotation(clause: string): boolean {
  const lead = inNotation.exec(clause);
  const found = lead === null ? null : notation.exec(clause.slice(lead[0].length));
  if (!lead || !found) return false;
  const rest = clause.slice(lead[0].length + found[0].length);
  return /^(?:only |always )?in $/.test(lead[0]) ? /^[.!]*$/.test(rest) : /^(?!\w)/.test(rest);
}

const shaping = oneOf([
  // All X with Y; X as Y, not Z.
  /^(?:all|every|each|any) (?!in all|of (?:it|them|that)|the (?:best|same|way))[\w' -]{2,40} (?:in|as|with|by|to|under|before|after|without|through|via) [^,.]{2,40}[.!]*$/,
  /^(?!(?:the|this|that|these|those|my|it|on|at|in)\b)(?:[\w-]+ ){0,2}[a-z]+s (?:in|as|with|by|to|on|from|for|under) [^,.\d]{2,30}, (?:not|never) [^,.]{2,30}[.!]*$/,
  /^(?:[\w'/-]+ ){1,4}(?:only|throughout|everywhere|at all times|always|across the board)[.!]*$/,
  // Two sentences max; one question at a time; two decimals for percentages.
  /^(?:only |just |at most |max |up to )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|a hundred|a single|half a) (?:[\w-]+ )?(?:(?:words?|sentences?|lines?|paragraphs?|bullets?|points?|characters?|chars|items?|options?|questions?|examples?|pages?|slides?|decimals?|decimal places|digits|commands?|steps?|tokens|files?|emojis?|adjectives?|attempts?|tries|retries|sources?|papers?|suggestions?) (?:max(?:imum)?|tops|at most|or (?:less|fewer)|at a time|per\b|for\b|each\b|is (?:the (?:max|limit|ceiling)|enough|plenty))|[\w-]+ (?:max(?:imum)?|tops|at a time|per \w+)\b)/,
  /^(?:max(?:imum)?|at most|no more than|up to) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|a hundred|a single|half a)\b/,
  // A notation for a kind of text; a part at a place of every text.
  /^(?:sentence case|title case|lower ?case|upper ?case|camelcase|snake_case|kebab-case|iso|si|24-hour|12-hour|24h|metric|imperial|british|american|oxford|single|double|tabs|spaces|present tense|past tense|active voice|imperative mood|first person|bold|italics) ?(?:for|in|on|dates?|times?|units|clock|spelling|format|quotes|,|please|pls|[.!]*$)/,
  /^(?:a |an )?(?:[\w;'-]+ ){1,4}(?:at the (?:top|bottom|end|start|beginning) of|on|under|above|below|in|for|with|after|before) (?:every|each|any|all|anything|everything)\b/,
  /^just (?:the )?(?:text|code|answer|number|result|facts|command|diff|json|query|translation|name|data|output)\b/,
]);
/** "Temperatures: Fahrenheit", "the tone of all mails: warm". */
const labelled =
  /^(?:the |my |your |our |all |preferred )*(?:language|tone|style|voice|format|formatting|length|currency|spelling|naming|indentation|layout|structure|audience|units?|time ?zones?|dates?|times|deadlines|temperatures|distances|weights|prices|amounts|numbers|decimals|percentages|answers|replies|e-?mails|mails|messages|comments|commits|commit messages|headings|titles|summaries|reports|quotes)(?: (?:of|for|in) [\w ]{2,30})?: (?!\d)[^.?:]{2,60}[.!]*$/;
const preferring = oneOf([
  // X over Y, X instead of Y, X first, Y after.
  /^(?!(?:the|this|that|a|an|all|game|once|twice|just|well|left|start|come|go|ones?)\b)(?:[\w.'()-]+ ){1,3}(?:over|instead of|rather than|before) (?!(?:the|this|that|there|here|a|an|and|\d+|lunch|dinner|noon|christmas|next|last|my|your|to|i|you|it|we)\b)[\w.'()-]+(?: [\w.'()-]+)?[.!]*$/,
  /^(?!(?:the|this|that|a|an|i|my|our|we|you|at|me|ladies|family|safety)\b)(?:[\w.'-]+ ){1,3}first[,;]? (?:(?:and |then )?[\w.'-]+ ){1,3}(?:after(?:wards)?|second|later|next|last|fallback)\b/,
]);

/**
 * A fragment without a verb that rules out, shapes or prefers: "no jargon", "temperatures in Celsius", "tabs over
 * spaces". What tells of something has a verb, and is none.
 */
export function kindOfFragment(clause: string): 'prohibition' | 'format' | 'preference' | null {
  const words = clause.replace(/[,;]? ?(?:please|pls|plz|thanks|thx|ok\?)[.!]*$/, '');
  const core = words
    .replace(reason, '')
    .replace(/^((?:no|nothing|nobody|none)\b[^,]*?) (?:that|which|who) .*$/, '$1 that …');
  if (core.length > 90 || tells.test(core.replace(/ is (?:the|enough|plenty)\b/, ''))) return null;
  if (forbidding.test(core)) return 'prohibition';
  if (labelled.test(core) || isInNotation(core) || shaping.test(core)) return 'format';
  return preferring.test(core) ? 'preference' : null;
}
