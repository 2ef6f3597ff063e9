import type { components } from './schema.js';
import type { CallOptions, Transport } from './transport.js';

type Schemas = components['schemas'];

/** The part of an output to read. */
export interface ReadOptions extends CallOptions {
  /** A line, or a range like `800-900`. */
  lines?: string;
  /** Characters of one long line, as `1-2000`. */
  columns?: string;
  head?: number;
  tail?: number;
  /** A JSONPath. */
  path?: string;
  max_tokens?: number;
  numbered?: boolean;
}

/** Options of a search in one output. */
export interface GrepOptions extends CallOptions {
  ignore_case?: boolean;
  context?: number;
  limit?: number;
  max_tokens?: number;
  cursor?: string;
}

/** The offloaded outputs of all threads. */
export class Outputs {
  /** @internal Use `spillway.outputs`. */
  constructor(private readonly transport: Transport) {}

  /** One output: its size, its kind and where it belongs. Throws `NotFoundError`, `GoneError`. */
  get(id: string, { signal }: CallOptions = {}): Promise<Schemas['Output']> {
    return this.transport.json({ method: 'GET', path: pathOf(id), signal });
  }

  /** A part of an output, bounded in tokens; `next` of the answer is the query of the part after it. */
  read(id: string, { signal, ...query }: ReadOptions = {}): Promise<Schemas['OutputExcerpt']> {
    const headers = { accept: 'application/json' };
    return this.transport.json({
      method: 'GET',
      path: `${pathOf(id)}/content`,
      query,
      headers,
      signal,
    });
  }

  /** The whole content, byte for byte. */
  async content(id: string, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const response = await this.transport.send({
      method: 'GET',
      path: `${pathOf(id)}/content`,
      signal,
      timeoutMs: Infinity,
    });
    return response.body!;
  }

  /** The lines that match a pattern (RE2). */
  grep(
    id: string,
    pattern: string,
    { signal, ...options }: GrepOptions = {},
  ): Promise<Schemas['GrepResult']> {
    const query = { pattern, ...options };
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/grep`, query, signal });
  }

  /** What an output holds, with lines: symbols, schema, errors, headings. */
  outline(id: string, { signal }: CallOptions = {}): Promise<Schemas['Outline']> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/outline`, signal });
  }
}

const pathOf = (id: string): string => `/v1/outputs/${encodeURIComponent(id)}`;
