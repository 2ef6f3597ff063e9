import type { SeqMessage } from '../messages/seq-message.js';
import { statesEffect } from './effects.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { isPoliteness } from './politeness.js';
import { sentencesOf } from './sentences.js';
import { sentenceWeights, tellingAbove, worthALineAbove } from './weights.js';

const decision =
  /\b(?:because|root cause|cause(?:d by)?|turns? out|decided|decision|instead|the (?:issue|problem|bug|reason) (?:is|was)|found that|discovered|confirmed|works now|did not work|doesn['’]t work|does not work|workaround|finding|rule|only|must|never|not allowed|cannot|unable|policy|since|constraint|evidence|opinion|fact|reproduc\w+|agreed|promised?|open)\b/i;
/** The number of a step that is announced, which is no value. */
const stepNumber = /^step \d{1,2}[:.)]\s*/i;
/** The agent tells what it does next: worth something only while it is the newest that was said. */
const intention =
  /^(?:now,? |ok(?:ay)?,? |good\. )?(?:let me|let['’]s|i(?:['’]ll| will| am going to|['’]m going to| start with| look| read| check| list| ask for)|next[,:]?|now i|first[,:]?|then i|going (?:on|to)|(?:checking|running|reading|looking|starting|taking|searching|listing|putting|trying|writing|moving|continuing)\b)/i;
const heading = /^[#*\s|>-]*$|^```|^\|?[\s:|-]+\|?$/;
/**
 * Something that can be looked up later: a number, a path, code, a name with capitals inside, an acronym. A run of
 * characters is tried from its start alone: linear.
 */
const value =
  /`[^`]{1,80}`|(?<![\w./@-])[\w./@-]*\d[\w./@:-]*|(?<![\w-])[\w-]+\/[\w./-]+|\b[a-z]+[A-Z]\w+|\b[A-Z]{3,}\b|"[^"]{3,60}"/g;

/** A text up to this long is quoted whole: what it begins with is what the work after it is about. */
const shortText = 220;
/** An announcement is quoted with the items of its list, up to this long. */
const announced = 260;

/**
 * Effects, decisions and findings of the agent, in its own words. A short text is one item, of a long one
 * the sentences that say most.
 */
export function statementsBy(messages: readonly SeqMessage[], perMessage = 4): Item[] {
  return messages
    .filter((message) => message.role === 'assistant' && message.text.trim() !== '')
    .flatMap(({ seq, text }) => {
      const sentences = plainSentences(text);
      const telling = sentences.filter((one) => weightOf(one) > tellingAbove);
      const whole = sentences.join(' ');
      if (telling.length > 0 && sentences.length > 1 && whole.length <= shortText)
        return [
          { seq, text: whole, weight: telling.reduce((most, one) => Math.max(most, weightOf(one)), 0) },
        ];
      return telling
        .map((sentence, i) => ({ seq, text: clipAtWord(sentence, announced), weight: weightOf(sentence), i }))
        .sort((a, b) => b.weight - a.weight || a.i - b.i)
        .slice(0, perMessage)
        .sort((a, b) => a.i - b.i)
        .map(({ i: _, ...item }) => item);
    })
    .filter(({ weight }) => weight > worthALineAbove);
}

/** The sentences of a text without marks of lists and emphasis; what announces a list together with its items. */
function plainSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const sentence of sentencesOf(text)) {
    if (heading.test(sentence)) continue;
    const isListItem = /^(?:[-*•]|\d{1,2}[.)])\s/.test(sentence);
    const plain = sentence
      .replace(/^(?:[-*•>]|#{1,6}|\d{1,2}[.)])\s+/, '')
      .replace(/\*\*|__/g, '')
      .trim();
    const before = sentences.at(-1);
    if (isListItem && before !== undefined && isOpenList(before) && before.length + plain.length < announced)
      sentences[sentences.length - 1] =
        `${before}${before.endsWith(':') ? ' ' : '; '}${plain.replace(/[.;,]$/, '')}`;
    else sentences.push(plain);
  }
  return sentences.filter((one) => !isPoliteness(one));
}

/** It announces a list, or is one that was begun. */
const isOpenList = (text: string): boolean => /:$|: .*[^.!?]$/.test(text);

/** Tells whether the agent says what it does next. */
export const isIntention = (sentence: string): boolean =>
  stepNumber.test(sentence) || intention.test(sentence);

/** Shorter sentences without a value say nothing ... */
const minWords = 5;
/** ... and those that give no reason and report no effect need some more. */
const minPlainWords = 7;

/** How much a sentence of the agent says, by its words alone: an earlier summary's line is weighed the same way. */
export function weightOf(sentence: string): number {
  if (isPoliteness(sentence)) return 0;
  const values = sentence.replace(stepNumber, '').match(value)?.length ?? 0;
  const words = sentence.match(/\S+/g)?.length ?? 0;
  const [isDecision, isEffect] = [decision.test(sentence), statesEffect(sentence)];
  if (values === 0 && words < (isDecision || isEffect ? minWords : minPlainWords)) return 0;
  let weight = sentenceWeights.any + Math.min(sentenceWeights.maxValues, values * sentenceWeights.value);
  if (isDecision) weight += sentenceWeights.decision;
  if (isEffect) weight += sentenceWeights.effect;
  if (isIntention(sentence)) weight += sentenceWeights.intention;
  if (/:$/.test(sentence)) weight += sentenceWeights.announcement;
  return weight;
}
