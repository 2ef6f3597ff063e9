import { z } from 'zod';
import { clientId, maxSeq } from '../text.js';
import { outputIdArgument, readerToolSchemas, wholeOf } from './reader-tools.js';

const heldThing = z.strictObject({
  seq: wholeOf(maxSeq).optional().describe('A message, with its call and results.'),
  id: outputIdArgument.optional().describe('Or an output, whole.'),
});

/** The tools of `/mcp`: those of a model in its own thread, and what an agent outside of it needs. */
export const mcpToolSchemas = {
  ...readerToolSchemas,
  get_context: {
    description:
      'Shows what the model of a conversation would be sent now: the summary and the newest messages.',
    arguments: z.strictObject({
      max_tokens: z.coerce
        .number()
        .int()
        .min(200)
        .max(20_000)
        .optional()
        .describe('Maximum tokens of the answer, 200 to 20000. Default: 2000.'),
    }),
  },
  keep: {
    description: 'Keeps a message or an output in the context, whatever is summarized. Send seq or id.',
    arguments: heldThing,
  },
  release: {
    description: 'Takes back keep: the message or the output may be summarized. Send seq or id.',
    arguments: heldThing,
  },
  list_threads: {
    description: 'Lists the conversations that are stored, the most recently used first.',
    arguments: z.strictObject({
      q: z.string().max(200).optional().describe('Only ids that contain this.'),
      cursor: z.string().max(1_024).optional().describe('To go on: from the end of the last answer.'),
    }),
  },
} as const;

export type McpTool = keyof typeof mcpToolSchemas;

/** The conversation that a call is about, for callers who may read several. */
export const threadIdArgument = clientId.describe('The id of the conversation; list_threads has them.');
/** The same where the call names an output, which belongs to one. */
export const threadIdOfOutput = threadIdArgument
  .optional()
  .describe('The id of the conversation. Default: that of the output.');

/** One JSON-RPC message of MCP. Its library checks the rest, by the version of the protocol. */
export const mcpMessage = z
  .looseObject({
    jsonrpc: z.string().describe('Always 2.0.'),
    method: z.string().optional().describe('What is asked for; a response has none.'),
  })
  .meta({ id: 'McpMessage' });

/** A refusal by the protocol: a message that is no JSON-RPC, a batch, an `Accept` without both types. */
export const mcpError = z
  .object({
    jsonrpc: z.string().describe('Always 2.0.'),
    id: z
      .union([z.string(), z.number().int().min(-maxSeq).max(maxSeq)])
      .nullable()
      .describe('Of the message; null when it has none.'),
    error: z
      .object({
        code: z.number().int().min(-maxSeq).max(maxSeq).describe('As JSON-RPC and MCP number it.'),
        message: z.string().describe('What is wrong.'),
        data: z.unknown().optional().describe('More about it, by the version of the protocol.'),
      })
      .describe('What the message is refused for.'),
  })
  .meta({ id: 'McpError', description: 'A JSON-RPC error.' });
