import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { listOf, page } from '../list.js';
import { plainText, timestamp } from '../text.js';

const state = z
  .enum(['active', 'retired', 'dismissed', 'possible'])
  .describe(
    'active: it holds; retired: a newer message says something else on the same matter, or ended its task; dismissed: a person set it aside; possible: it may be an instruction, binds nothing until a person approves it, and is listed only when this state is asked for and no newer message ended it.',
  );

const fields = {
  id: z.string().describe('Unique in the thread.'),
  seq: position.describe('The message that says it; of an added one, the newest message when it was added.'),
  participant: z
    .string()
    .nullable()
    .describe(
      'Who said it, where its message has a `name`: one of several people in the thread. What another one says later on the same matter retires it with `may_hold`.',
    ),
  text: z.string().describe('Verbatim. No model rewrites it.'),
  state,
  retired_by_seq: position.nullable().describe('The message that retired it.'),
  may_hold: z
    .boolean()
    .describe(
      'Of a retired one: a newer message is likely to have replaced it, not certain. Contexts still show it, after the instructions that hold. PATCH decides.',
    ),
  source: z
    .enum(['found', 'added'])
    .describe('found: in a message of the user or a developer; added: with POST, by a person.'),
  kind: z
    .enum(['prohibition', 'limit', 'procedure', 'format', 'preference', 'permission'])
    .describe('What it demands of the assistant; of a possible one, what it would.'),
  approved: z.boolean().describe('A person set it to active: only a later message retires it.'),
  created_at: timestamp.nullable().describe('When it was stored. Null while no summary covers its message.'),
  in_context: z
    .array(whole)
    .describe('The newest generations that showed it at their head or carried its message, newest first.'),
  stands_in: z
    .enum(['message', 'summary'])
    .nullable()
    .describe(
      'Where the context of now says it: in its own message, or beside or at the head of the summary. Null: nowhere.',
    ),
};

/** What a user told the assistant about how to behave from now on. */
export const instruction = z.object(fields).meta({
  id: 'Instruction',
  description: 'What a user told the assistant about how to behave from now on.',
});

export const instructionList = listOf(instruction, 'InstructionList');

export const instructionsQuery = z.strictObject({
  ...page,
  state: state
    .optional()
    .describe('Only instructions in this state. Without it, those that are active, retired or dismissed.'),
});

export const instructionAdd = z
  .strictObject({
    text: plainText(1_000)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .describe('One instruction in plain words, as it is to be shown.'),
  })
  .meta({ id: 'InstructionAdd' });

export const instructionChange = z
  .strictObject({
    state: z
      .enum(['active', 'dismissed'])
      .describe(
        'active: it holds, also when it was retired, dismissed or only possible; dismissed: it does not.',
      ),
  })
  .meta({ id: 'InstructionChange' });

export const instructionChanged = z
  .object({
    ...fields,
    takes_effect: z
      .enum(['next_generation'])
      .describe(
        'A generation never changes once it is made, so that contexts keep their prefix. The next one follows this change; POST rebuild makes one now.',
      ),
  })
  .meta({ id: 'InstructionChanged' });
