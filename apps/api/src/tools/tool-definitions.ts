import { readerToolSchemas } from '@spillway/contracts';
import { toolIn, type FormatName, type ReaderTool, type ReaderToolNames } from '@spillway/service';
import { z } from 'zod';

/** Keywords that cost tokens in each model call and say nothing that the descriptions do not. */
const left = ['$schema', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'];

const parametersOf = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const keyword of left) delete (jsonSchema as Record<string, unknown>)[keyword];
    },
  });

const parameters = Object.fromEntries(
  Object.entries(readerToolSchemas).map(([tool, { arguments: schema }]) => {
    const { $schema: _, ...json } = parametersOf(schema);
    return [tool, json];
  }),
);

/** The reader tools under these names, as the API of a format takes them. */
export const toolsIn = (format: FormatName, names: ReaderToolNames): Record<string, unknown>[] =>
  Object.entries(readerToolSchemas).map(([tool, { description }]) =>
    toolIn[format]({ name: names[tool as ReaderTool], description, parameters: parameters[tool]! }),
  );
