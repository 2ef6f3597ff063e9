import type { SeqMessage } from '../messages/seq-message.js';
import { statesEffect } from './effects.js';
import { oneLine, sentencesOf, type Item } from './item.js';
import { isPoliteness } from './politeness.js';

const decision =
  /\b(?:because|root cause|cause(?:d by)?|turns? out|decided|decision|instead|the (?:issue|problem|bug|reason) (?:is|was)|found that|discovered|confirmed|works now|did not work|doesn['’]t work|does not work|workaround|finding|rule|only|must|never|not allowed|cannot|unable|policy|since|so that|constraint)\b/i;
/** The agent tells what it does next: worth something only while it is the newest that was said. */
const intention = /^(?:now,? )?(?:let me|let['’]s|i(?:['’]ll| will| am going to)|next,?|now i|first,?)\b/i;
const identifierLike = /\d{2,}|[\w-]\/[\w-]|`[^`]+`|[a-z][A-Z]|_|[A-Z]{3,}/;
const heading = /^[#*\s|>-]*$|^```/;

/** A text up to this long is quoted whole: what it begins with is what the work after it is about. */
const shortText = 220;

/**
 * What the agent itself said: effects, decisions, findings, in its words. A short text is one item, of a long one
 * the sentences that say most.
 */
export function statementsBy(messages: readonly SeqMessage[], perMessage = 3): Item[] {
  return messages
    .filter((message) => message.role === 'assistant' && message.text.trim() !== '')
    .flatMap(({ seq, text }) => {
      const sentences = sentencesOf(text).filter((one) => !heading.test(one) && !isPoliteness(one));
      const whole = oneLine(sentences.join(' '), shortText + 1);
      if (sentences.length > 0 && whole.length <= shortText && text.length < 2 * shortText)
        return [{ seq, text: whole, weight: weightOf(whole) }];
      return sentences
        .map((sentence, i) => ({ seq, text: oneLine(sentence, shortText), weight: weightOf(sentence, i), i }))
        .sort((a, b) => b.weight - a.weight || a.i - b.i)
        .slice(0, perMessage)
        .sort((a, b) => a.i - b.i)
        .map(({ i: _, ...item }) => item);
    })
    .filter(({ weight }) => weight > 0.5);
}

/** How much a sentence of the agent says, by its words alone: an earlier summary's line is weighed the same way. */
export function weightOf(sentence: string, place = 0): number {
  if (isPoliteness(sentence)) return 0;
  let weight = place === 0 ? 0.9 : 0.5;
  if (decision.test(sentence)) weight += 0.5;
  if (statesEffect(sentence)) weight += 0.5;
  if (identifierLike.test(sentence)) weight += 0.3;
  if (intention.test(sentence)) weight -= 0.6;
  return weight;
}
