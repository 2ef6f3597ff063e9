import { textOfParts, type Body } from '../../messages/message.js';
import { stringOf, without } from '../parts.js';
import { callIdField, isScreenshot, readOutput } from './outputs.js';
import { isResultItem } from './read.js';

/** What a model writes whose id the API does not require. Without an id the provider misses no reasoning. */
const withOptionalId = new Set([
  'message',
  'function_call',
  'custom_tool_call',
  'shell_call',
  'apply_patch_call',
  'tool_search_call',
]);

/** What has no place without its id, and that id requires the reasoning. The provider made their results itself. */
const ofProvider = new Set([
  'item_reference',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
]);

/** Calls that the caller answers, and that have no place without their id either. */
const withRequiredId = new Set(['computer_call', 'local_shell_call']);

/** An item as it is sent: null when it is left out. */
export interface SentItem {
  body: Body | null;
  /** What of it is not sent; null when the model reads all of it. */
  lost: string | null;
}

/**
 * Items of one context of which some are sent without the reasoning before them. OpenAI looks that reasoning up by the
 * id of the item, and answers 400 when it is not sent: "Item 'fc_1' of type 'function_call' was provided without its
 * required 'reasoning' item".
 */
export class ItemsWithoutReasoning {
  /** Ids of calls that are notes, so that their results are notes too. */
  private readonly noted = new Set<string>();

  /** An item of the model. Approval requests keep their id: it is what the caller approves. */
  afterLost(item: Body): SentItem {
    const type = stringOf(item.type) || 'message';
    if (withOptionalId.has(type)) return { body: without(item, 'id'), lost: null };
    if (ofProvider.has(type)) return { body: null, lost: `${type} without its reasoning` };
    if (!withRequiredId.has(type)) return { body: item, lost: null };
    this.noted.add(stringOf(item.call_id));
    return { body: callAsNote(item), lost: `the form of a ${type} without its reasoning` };
  }

  /** Any other item of the context. */
  other(item: Body): SentItem {
    const isNoted = isResultItem(item) && this.noted.has(stringOf(item[callIdField(item)]));
    return isNoted
      ? { body: resultAsNote(item), lost: `the form of a ${stringOf(item.type)}` }
      : { body: item, lost: null };
  }
}

const note = (content: unknown): Body => ({ type: 'message', role: 'user', content });

function callAsNote({ type, call_id: callId, id: _id, status: _status, ...rest }: Body): Body {
  return note(`[Your ${stringOf(type)} (${stringOf(callId).slice(0, 40)}):]\n${JSON.stringify(rest)}`);
}

function resultAsNote(item: Body): Body {
  const { output } = item;
  const head = `[Result (${stringOf(item[callIdField(item)]).slice(0, 40)}):]`;
  if (!isScreenshot(output)) return note(`${head}\n${textOfParts(readOutput(output))}`);
  const { type: _type, ...picture } = output;
  return note([
    { type: 'input_text', text: head },
    { type: 'input_image', detail: 'auto', ...picture },
  ]);
}
