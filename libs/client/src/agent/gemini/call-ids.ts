import { hashOf } from '../identity.js';
import type { GeminiPart } from './content.js';

interface OpenCall {
  id: string;
  name: string;
  isGiven: boolean;
}

/** The ids of calls of a conversation. Models before Gemini 3 give none, and Google's kit takes them out. */
export class CallIds {
  private made = 0;
  private open: OpenCall[] = [];

  /** `isWhole`: the conversation has its beginning, so that calls can be numbered. */
  constructor(private readonly isWhole: boolean) {}

  /** To be called before the calls of a content. */
  begin(): void {
    if (!this.isWhole) this.made = 0;
  }

  /**
   * Ids follow from what is called and from the number of calls before, so the same conversation has the same ones each
   * time. Where its beginning may be missing, only calls of the same content are counted, and ids may repeat.
   */
  call({ id, name = '', args = {} }: NonNullable<GeminiPart['functionCall']>): string {
    this.made++;
    const given = id ?? `call_${this.made}_${hashOf(name + textOf(args))}`;
    this.open.push({ id: given, name, isGiven: id !== undefined });
    return given;
  }

  /**
   * A result without an id is that of the first call of its name that has none yet. So is one whose id its caller made
   * for a call that has none.
   */
  result({ id, name = '' }: NonNullable<GeminiPart['functionResponse']>): string {
    const called = this.open.findIndex((call) => call.id === id);
    const at =
      called < 0
        ? this.open.findIndex((call) => call.name === name && (id === undefined || !call.isGiven))
        : called;
    const [answered] = at < 0 ? [] : this.open.splice(at, 1);
    return answered?.id ?? id ?? `${unknown}${hashOf(name)}`;
  }
}

/** The API takes arguments that no body may have as an object with their text: the call is the same one. */
function textOf(args: object): string {
  const { json, ...others } = args as { json?: unknown };
  return typeof json === 'string' && Object.keys(others).length === 0 ? json : JSON.stringify(args);
}

const unknown = 'call_unknown_';
/** A context numbers ids that repeat. */
const madeHere = /^call_(?:\d+|unknown)_[0-9a-f]{14}(?:_\d+)*$/;

/** Whether the id is that of a result whose call the conversation does not have. */
export const isOfUnknownCall = (id = ''): boolean => id.startsWith(unknown);

/** The field for an id: those that the caller gave are sent, those that were made here are not. */
export const idOf = (id = ''): { id?: string } => (madeHere.test(id) ? {} : { id });
