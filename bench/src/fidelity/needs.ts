import {
  formats,
  measuredValuesIn,
  NeedFinder,
  needWindow,
  saidIn,
  says,
  seqMessage,
  usedValues,
  type SeqMessage,
} from '@spillway/engine';
import type { JsonMessage } from '@spillway/testing';

export interface FoldPlace {
  /** The newest message when the fold was made. */
  atSeq: number;
  toSeq: number;
  /** Messages that stand for themselves beside the summary. */
  verbatim: readonly number[];
}

/** A thread read for its identifiers, so that each of its folds is asked quickly. */
export class ThreadReading {
  /** What each message says. */
  readonly texts: string[];
  private readonly messages: SeqMessage[];

  constructor(messages: readonly JsonMessage[]) {
    this.messages = messages.map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
    this.texts = this.messages.map(saidIn);
  }

  /**
   * The words around an identifier where the messages up to a seq said it last: up to four on either side of it in
   * its line, without other identifiers; for a line without words, the first eight of the agent's step before it.
   * What an agent that forgot the identifier remembers of it at best.
   */
  wordsAround(value: string, through: number): string {
    const at = this.texts.slice(0, through).findLastIndex((one) => says(one, value));
    const line = this.texts[at]?.split('\n').find((one) => says(one, value)) ?? '';
    const column = line.indexOf(value);
    const before = wordsIn(line.slice(Math.max(0, column - 300), column)).slice(-4);
    const after = wordsIn(line.slice(column + value.length, column + value.length + 300)).slice(0, 4);
    if (before.length + after.length > 0) return [...before, ...after].join(' ');
    const isStep = ({ role }: SeqMessage, i: number): boolean =>
      role === 'assistant' && measuredValuesIn(this.texts[i]!).size > 0;
    const step = this.messages.slice(0, at).findLastIndex(isStep);
    return wordsIn(this.texts[step] ?? '')
      .slice(0, 8)
      .join(' ');
  }

  /** What the agent needed of the folded messages in those that follow. */
  needsAfter({ atSeq, toSeq, verbatim }: FoldPlace): string[] {
    const beside = new Set(verbatim);
    const isShown = ({ seq }: SeqMessage): boolean => seq > toSeq || beside.has(seq);
    const used = usedValues(this.messages.slice(0, atSeq + needWindow).filter(isShown), atSeq);
    const finder = new NeedFinder(used);
    for (const message of this.messages.slice(0, toSeq).reverse())
      if (!isShown(message)) finder.look(message);
    return finder.needs().map(({ value }) => value);
  }
}

/** Words of prose, without values. */
function wordsIn(text: string): string[] {
  const values = measuredValuesIn(text);
  return (text.match(/[\p{L}\p{N}_./@:-]+/gu) ?? [])
    .map((word) => word.replace(/^[./@:-]+|[./@:-]+$/g, ''))
    .filter((word) => /^\p{L}[\p{L}_-]{2,}$/u.test(word) && !values.has(word));
}
