import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { clientId, exportQuery } from '@spillway/contracts';
import { exportThread, SpillwayError, type CallerRow, type Exported, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { Caller, mayRead } from '../auth/caller.js';
import { endWhenStalled } from '../http/end-when-stalled.js';
import { inert } from '../http/inert.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { asJsonLine } from './json-line.js';
import { asMarkdown } from './markdown.js';

const formats = {
  jsonl: { write: asJsonLine, mediaType: 'application/x-ndjson', extension: 'jsonl' },
  markdown: { write: asMarkdown, mediaType: 'text/markdown', extension: 'md' },
};

@Controller('v1/threads/:id/export')
export class ExportController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async export(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(exportQuery)) { format = 'jsonl', as }: z.infer<typeof exportQuery>,
    @Res() reply: FastifyReply,
  ) {
    if (as !== undefined && format !== 'jsonl')
      throw new SpillwayError('invalid_request', '`as` is for JSON lines.', [
        { path: '/as', message: 'goes with the format jsonl alone' },
      ]);
    const { write, mediaType, extension } = formats[format];
    const exported = await exportThread(this.rt, caller.projectId, threadId, {
      withOutputs: mayRead(caller, 'outputs:read'),
      as,
    });
    endWhenStalled(reply.raw, this.rt.timing.stalledDownloadMs);
    return reply
      .headers(inert(`${fileNameOf(threadId)}.${extension}`, mediaType))
      .send(Readable.from(written(exported, write), { objectMode: false }));
  }
}

async function* written(exported: AsyncIterable<Exported>, write: (item: Exported) => string) {
  for await (const item of exported) yield Buffer.from(write(item));
}

/** A thread's id as a file name for every file system: no colons, no leading dots, limited length. */
const fileNameOf = (threadId: string): string =>
  `thread-${threadId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100)}`;
