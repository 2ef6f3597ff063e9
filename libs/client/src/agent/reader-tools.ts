/** The tools with which a model reads what left its context, by Spillway's names for them. */
export type ReaderToolName =
  'read_output' | 'grep_output' | 'outline_output' | 'search_history' | 'read_message';

/** A tool in no provider's form. */
export interface ReaderTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: {
    type: 'object';
    properties: Record<string, unknown>;
    required?: string[];
    additionalProperties: false;
  };
}

/**
 * Returns the reader tools as GET /v1/threads/{id}/tools has them, so that an agent can be built while Spillway cannot
 * be reached. `names` must be those of outputs.tool_names in the thread's policy.
 */
export const readerTools = (names: Partial<Record<ReaderToolName, string>> = {}): ReaderTool[] =>
  definitions.map((tool) => ({ ...tool, name: names[tool.name] ?? tool.name }));

const definitions: readonly (ReaderTool & { name: ReaderToolName })[] = [
  {
    name: 'read_output',
    description: 'Reads a stored tool output by lines, or a JSON one by path. Its stub has the id.',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        lines: { type: 'string', description: 'A range like 800-900.' },
        columns: { type: 'string', description: 'Of one long line: characters like 1-2000.' },
        tail: { description: 'The last lines.', type: 'integer' },
        path: { description: 'JSONPath like $.rows[0].', type: 'string' },
      },
      required: ['id'],
      additionalProperties: false,
    },
  },
  {
    name: 'grep_output',
    description: 'Finds the lines of a stored tool output that match a regular expression (RE2).',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        pattern: { type: 'string' },
        ignore_case: { type: 'boolean' },
        context: { description: 'Lines around each match.', type: 'integer' },
        cursor: { type: 'string', description: 'To go on: from the end of the last answer.' },
      },
      required: ['id', 'pattern'],
      additionalProperties: false,
    },
  },
  {
    name: 'outline_output',
    description: 'Lists what a stored tool output holds, with lines: symbols, schema, errors, headings.',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, from_line: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  {
    name: 'search_history',
    description: 'Searches all earlier messages of this conversation and its stored outputs.',
    parameters: {
      type: 'object',
      properties: {
        q: { type: 'string', description: 'Words, a question, or "a phrase".' },
        role: { type: 'string', enum: ['user', 'assistant', 'tool'] },
        tool: { description: 'Only calls and results of this tool.', type: 'string' },
        cursor: { type: 'string', description: 'To go on: from the end of the last answer.' },
      },
      required: ['q'],
      additionalProperties: false,
    },
  },
  {
    name: 'read_message',
    description: 'Reads an earlier message by its number.',
    parameters: {
      type: 'object',
      properties: {
        seq: { type: 'integer' },
        lines: { type: 'string', description: 'A range like 800-900.' },
        columns: { type: 'string', description: 'Of one long line: characters like 1-2000.' },
      },
      required: ['seq'],
      additionalProperties: false,
    },
  },
];
