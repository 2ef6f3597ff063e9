import { readerToolSchemas } from '@spillway/contracts';
import { toolIn, type FormatName, type ReaderTool, type ReaderToolNames } from '@spillway/service';
import { z } from 'zod';

/** Keywords that cost tokens in each model call and say nothing that the descriptions do not. */
const left = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum'];

/** The JSON Schema of a tool's arguments. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const keyword of left) delete (jsonSchema as Record<string, unknown>)[keyword];
    },
  });
  return json;
}

const parameters = Object.fromEntries(
  Object.entries(readerToolSchemas).map(([tool, { arguments: schema }]) => [tool, parametersOf(schema)]),
);

/** The reader tools under these names, as the API of a format takes them. */
export const toolsIn = (format: FormatName, names: ReaderToolNames): Record<string, unknown>[] =>
  Object.entries(readerToolSchemas).map(([tool, { description }]) =>
    toolIn[format]({ name: names[tool as ReaderTool], description, parameters: parameters[tool]! }),
  );
