import { cachedBySentence } from '../messages/cached-by-text.js';
import { evidenceOf } from './cues/score.js';
import type { Evidence } from './cues/weighed-cues.js';
import type { Instruction, InstructionKind } from './instruction.js';
import { isQuestion } from './plain.js';
import { kindByRules } from './rules.js';
import { ruledOutAs, wordsOf, type RuledOut, type Words } from './ruled-out.js';

/** Whether it is an item of a list of rules, and whether what only may be an instruction counts. */
type LookName = 'rule' | 'rule, or possible' | 'sentence' | 'sentence, or possible';

/** The evidence that a sentence is judged by. Each part is computed once, when it is first read. */
export class Reading {
  /** The verdicts on it, by how it was looked at. */
  readonly kinds: Partial<Record<LookName, Instruction['kind'] | null>> = {};
  private parts: Words | undefined;
  private asks: boolean | undefined;
  private cues: Evidence | undefined;
  private kind: InstructionKind | null | undefined;
  private reason: RuledOut | null | undefined;

  constructor(private readonly sentence: string) {}

  get words(): Words {
    return (this.parts ??= wordsOf(this.sentence));
  }

  get isQuestion(): boolean {
    return (this.asks ??= isQuestion(this.words.whole));
  }

  /** The weights of its cues, without those of the rules of grammar. */
  get evidence(): Evidence {
    return (this.cues ??= evidenceOf(this.sentence));
  }

  /** The kind of instruction that the rules of grammar find in it. */
  get byRules(): InstructionKind | null {
    if (this.kind === undefined) this.kind = kindByRules(this.sentence, false, this.words);
    return this.kind;
  }

  /** Why it is no instruction by these rules. */
  get ruledOut(): RuledOut | null {
    if (this.reason === undefined) this.reason = ruledOutAs(this.words);
    return this.reason;
  }
}

/**
 * The same sentences come again: every fold, preview and list of instructions reads the newest messages, many agents
 * repeat a reminder with each message, and what may hold is ranked by how likely it is.
 */
export const readingOf = cachedBySentence((sentence) => new Reading(sentence));
