import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  clientId,
  grepQuery,
  holdQuery,
  outputContentQuery,
  outputId,
  pagedList,
  outputUploadQuery,
  projectOutputsQuery,
} from '@spillway/contracts';
import {
  getOutput,
  grepOutput,
  readGrepCursor,
  writeGrepCursor,
  holdOutput,
  listOutputs,
  listProjectOutputs,
  openOutputOfThread,
  outlineOutput,
  pinOutput,
  readBytes,
  readLines,
  readPath,
  unpinOutput,
  uploadOutput,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { applicableRange, isKnown } from '../http/preconditions.js';
import { whenAbandoned } from '../http/abandoned.js';
import { endWhenStalled } from '../http/end-when-stalled.js';
import { streamedBody } from '../http/streamed-body.js';
import { givenId, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { parseRange } from './byte-range.js';
import {
  acceptsOnlyJson,
  defaultTokens,
  inertFile,
  linesOfQuery,
  matchesAsked,
  sendExcerpt,
} from './excerpt.js';
import { heldView } from '../messages/held.view.js';
import { outputView, uploadView } from './output.view.js';

type ReadHeaders = Partial<Record<'range' | 'accept' | 'if-range' | 'if-none-match', string>>;

const outputOf = givenId(outputId, 'output_not_found', 'No such output.');

@Controller('v1')
export class OutputsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get('threads/:id/outputs')
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(pagedList)) query: z.infer<typeof pagedList>,
  ) {
    const page = await listOutputs(this.rt, { projectId, threadId, ...query });
    return listView(page, (row) => outputView(row, threadId));
  }

  @Post('threads/:id/outputs')
  async upload(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(outputUploadQuery)) query: z.infer<typeof outputUploadQuery>,
    @Req() request: { raw: IncomingMessage },
  ) {
    const { output, stub } = await uploadOutput(
      this.rt,
      { projectId, threadId, tool: query.tool ?? null, toolCallId: query.tool_call_id ?? null },
      streamedBody(request.raw, this.rt.uploads, this.rt.draining),
    );
    return { output: uploadView(output, threadId), stub };
  }

  @Get('outputs')
  async listAll(
    @ProjectId() projectId: string,
    @Query(valid(projectOutputsQuery)) query: z.infer<typeof projectOutputsQuery>,
  ) {
    const { thread, expiring_before, sort, ...rest } = query;
    const filter = { threadId: thread, expiringBefore: expiring_before, order: sort };
    const page = await listProjectOutputs(this.rt, { projectId, ...rest, ...filter });
    return listView(page, (row) => outputView(row, row.threadId));
  }

  @Get('outputs/:id')
  async get(@ProjectId() projectId: string, @Param('id', outputOf) id: string) {
    const { output, threadId } = await getOutput(this.rt, projectId, id);
    return outputView(output, threadId);
  }

  @Get('outputs/:id/content')
  async content(
    @ProjectId() projectId: string,
    @Param('id', outputOf) id: string,
    @Query(valid(outputContentQuery)) query: z.infer<typeof outputContentQuery>,
    @Headers() { range, accept, 'if-range': ifRange, 'if-none-match': ifNoneMatch }: ReadHeaders,
    @Res() reply: FastifyReply,
  ) {
    const { output, threadId } = await openOutputOfThread(this.rt, projectId, id);
    const isJson = acceptsOnlyJson(accept);
    if (query.path !== undefined) {
      const asked = matchesAsked(query);
      const { count } = await this.rt.settings.ofId(projectId, threadId);
      const shown = {
        maxTokens: query.max_tokens ?? defaultTokens,
        numbered: query.numbered === true,
        count,
      };
      const { excerpt, total } = await readPath(this.rt, output, query.path, asked, shown);
      return sendExcerpt(reply, output, excerpt, query, isJson, total);
    }
    const lines = linesOfQuery(query, output.lines, isJson && range === undefined);
    if (lines) {
      const numbered = query.numbered === undefined ? isJson : query.numbered === true;
      const { count } = await this.rt.settings.ofId(projectId, threadId);
      const shown = { maxTokens: query.max_tokens ?? defaultTokens, numbered, count };
      return sendExcerpt(reply, output, await readLines(this.rt, output, lines, shown), query, isJson);
    }
    const size = Number(output.bytes);
    const etag = `"${output.sha256}"`;
    if (isKnown(ifNoneMatch, etag)) return reply.status(304).headers({ etag }).send('');
    const asked = rangeAsked(applicableRange(range, ifRange, etag), size, reply);
    const { start, end } = asked ?? { start: 0, end: size };
    // Read first: missing bytes are answered with a problem, without the headers of a file.
    const bytes = size === 0 ? '' : await readBytes(this.rt, output, { start, end });
    // The client asks for the rest by Range.
    endWhenStalled(reply.raw, this.rt.timing.stalledDownloadMs);
    if (asked) reply.status(206).headers({ 'content-range': `bytes ${start}-${end - 1}/${size}` });
    const length = { 'content-length': String(end - start), etag };
    return reply.headers({ ...inertFile(id), ...length }).send(bytes);
  }

  @Get('outputs/:id/grep')
  async grep(
    @ProjectId() projectId: string,
    @Param('id', outputOf) id: string,
    @Query(valid(grepQuery)) query: z.infer<typeof grepQuery>,
    @Res({ passthrough: true }) reply: { raw: ServerResponse },
  ) {
    const result = await grepOutput(this.rt, projectId, id, {
      pattern: query.pattern,
      ignoreCase: query.ignore_case === true,
      context: query.context ?? 0,
      limit: query.limit ?? 50,
      maxTokens: query.max_tokens ?? defaultTokens,
      from: readGrepCursor(query.cursor),
      signal: whenAbandoned(reply.raw),
    });
    return {
      matches: result.matches,
      truncated: result.truncated,
      next_cursor: result.next && writeGrepCursor(result.next),
      scanned_lines: result.scannedLines,
    };
  }

  @Get('outputs/:id/outline')
  async outline(@ProjectId() projectId: string, @Param('id', outputOf) id: string) {
    return outlineOutput(this.rt, projectId, id);
  }

  @Post('outputs/:id/keep')
  @HttpCode(200)
  async keep(
    @Caller() { projectId, token }: CallerRow,
    @Param('id', outputOf) id: string,
    @Query(valid(holdQuery)) { thread }: z.infer<typeof holdQuery>,
  ) {
    return heldView(await holdOutput(this.rt, projectId, id, 'keep', token?.threadId ?? thread));
  }

  @Post('outputs/:id/release')
  @HttpCode(200)
  async release(
    @Caller() { projectId, token }: CallerRow,
    @Param('id', outputOf) id: string,
    @Query(valid(holdQuery)) { thread }: z.infer<typeof holdQuery>,
  ) {
    return heldView(await holdOutput(this.rt, projectId, id, 'release', token?.threadId ?? thread));
  }

  @Post('outputs/:id/pin')
  @HttpCode(200)
  async pin(@ProjectId() projectId: string, @Param('id', outputOf) id: string) {
    const { output, threadId } = await pinOutput(this.rt, projectId, id);
    return outputView(output, threadId);
  }

  @Delete('outputs/:id/pin')
  async unpin(@ProjectId() projectId: string, @Param('id', outputOf) id: string) {
    const { output, threadId } = await unpinOutput(this.rt, projectId, id);
    return outputView(output, threadId);
  }
}

/** The bytes that a Range header names. A refusal names the total. */
function rangeAsked(range: string | undefined, size: number, reply: FastifyReply) {
  try {
    return parseRange(range, size);
  } catch (error) {
    reply.headers({ 'content-range': `bytes */${size}` });
    throw error;
  }
}
