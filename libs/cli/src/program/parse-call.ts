import { parseArgs } from 'node:util';
import { UsageError, type Call, type Command, type Option } from './command.js';

/** Options that every command has. */
export const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', summary: 'Prints JSON: one line for each item.' },
  help: { type: 'boolean', short: 'h', summary: 'Prints this help.' },
};

/** Reads the words of a call. Throws `UsageError` for what the command does not take. */
export function parseCall(
  command: string,
  { operands: taken, options }: Command,
  words: readonly string[],
): Pick<Call, 'operands' | 'options'> {
  const advice = `\`spillway ${command} --help\` lists the options.`;
  const known = { ...commonOptions, ...options };
  const { values, positionals } = parsed(words, known, advice);
  for (const [name, { choices }] of Object.entries(known)) {
    const given = [values[name] ?? []].flat();
    const wrong = given.find((value) => choices && !choices.includes(String(value)));
    if (wrong !== undefined)
      throw new UsageError(`--${name} must be one of ${choices!.join(', ')}, not ${JSON.stringify(wrong)}.`);
  }
  if (values.help === true) return { operands: positionals, options: values };
  const missing = taken.find(({ required }, i) => required && positionals[i] === undefined);
  if (missing) throw new UsageError(`<${missing.name}> is missing.`, advice);
  const extra = taken.at(-1)?.rest ? undefined : positionals[taken.length];
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is one word too many.`, advice);
  taken.forEach(({ name, choices }, i) => {
    const word = positionals[i];
    if (word !== undefined && choices && !choices.includes(word))
      throw new UsageError(`<${name}> must be one of ${choices.join(', ')}, not ${JSON.stringify(word)}.`);
  });
  return { operands: positionals, options: values };
}

function parsed(words: readonly string[], known: Readonly<Record<string, Option>>, advice: string) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node's own text goes on with advice about '--'.
    const [what] = (error as Error).message.split(/\.?\n|\. To specify /);
    throw new UsageError(`${what!.replace(/\.$/, '')}.`, advice, { cause: error });
  }
}
