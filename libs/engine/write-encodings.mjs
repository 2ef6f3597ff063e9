import { mkdir, writeFile } from 'node:fs/promises';
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/**
 * Writes src/generated/<encoding>.ts from gpt-tokenizer, which has each token as a string or as an array of bytes: loaded,
 * o200k takes 70 MB and 0.15 s of CPU. Here all tokens are one text of their bytes (ADR 143).
 */
const encodings = {
  o200k: { module: 'gpt-tokenizer/bpeRanks/o200k_base', split: O200K_TOKEN_SPLIT_REGEX },
  cl100k: { module: 'gpt-tokenizer/bpeRanks/cl100k_base', split: CL100K_TOKEN_SPLIT_REGEX },
};

/** Numbers of bytes are written as characters from "$" on, so that few of them have to be escaped. */
const zero = '#'.charCodeAt(0);

/** The number of bytes of each token and the bytes, each as one character below 256. */
function tableOf(tokens) {
  const parts = Array.from(tokens, (token, rank) => {
    if (token === undefined) throw new Error(`There is no token of rank ${rank}.`);
    const bytes = Buffer.from(token);
    if (zero + bytes.length > 255) throw new Error(`The token of rank ${rank} has ${bytes.length} bytes.`);
    return String.fromCharCode(zero + bytes.length) + bytes.toString('latin1');
  });
  return parts.join('');
}

const folder = new URL('src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, { module, split }] of Object.entries(encodings)) {
  const { default: tokens } = await import(module);
  const source = [
    '// Written by libs/engine/write-encodings.mjs in each build.',
    '',
    '/** The tokens by their rank: of each the number of its bytes, counted from "#", then the bytes, all as characters below 256. */',
    `export const table: string = ${JSON.stringify(tableOf(tokens))};`,
    '',
    '/** What a text is split by before its pieces are encoded. */',
    `export const split: RegExp = /${split.source}/u;`,
    '',
  ].join('\n');
  await writeFile(new URL(`${name}.ts`, folder), source);
}
