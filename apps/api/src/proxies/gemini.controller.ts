import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { asEvents, geminiCount, geminiPage, geminiRequest, modelOfUrl } from '@spillway/contracts';
import {
  getModel,
  listModels,
  tokenCounts,
  wireApis,
  withGeminiNames,
  type CallerRow,
  type KnownModel,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { checked, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { passCount, passTurn, type Sent } from './pass-on.js';

const ofModel = ':model(^[^:]+)';

/** Google's API of its models: an SDK whose base URL is Spillway's needs no other change. */
@Controller('v1beta/models')
export class GeminiController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post(`${ofModel}::generateContent`)
  generate(
    @Caller() caller: CallerRow,
    @Param(valid(modelOfUrl)) { model }: z.infer<typeof modelOfUrl>,
    @Headers() sent: Sent,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ) {
    return this.pass({ model, isStream: false }, { caller, sent, body, reply });
  }

  @Post(`${ofModel}::streamGenerateContent`)
  stream(
    @Caller() caller: CallerRow,
    @Param(valid(modelOfUrl)) { model }: z.infer<typeof modelOfUrl>,
    @Query(valid(asEvents)) _: unknown,
    @Headers() sent: Sent,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ) {
    return this.pass({ model, isStream: true }, { caller, sent, body, reply });
  }

  @Post(`${ofModel}::countTokens`)
  count(
    @Caller() caller: CallerRow,
    @Param(valid(modelOfUrl)) { model }: z.infer<typeof modelOfUrl>,
    @Headers() sent: Sent,
    @Body(valid(geminiCount)) body: z.infer<typeof geminiCount>,
    @Res() reply: FastifyReply,
  ) {
    return passCount(this.rt, { api: tokenCounts.google(model), model }, { caller, sent, body, reply });
  }

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Query(valid(geminiPage)) { pageSize, pageToken }: z.infer<typeof geminiPage>,
  ) {
    const query = { limit: pageSize, cursor: pageToken };
    const { data, nextCursor } = await listModels(this.rt, projectId, query);
    return {
      models: data.map((model) => modelView(model)),
      ...(nextCursor === null ? {} : { nextPageToken: nextCursor }),
    };
  }

  @Get(':model')
  async get(@ProjectId() projectId: string, @Param(valid(modelOfUrl)) { model }: z.infer<typeof modelOfUrl>) {
    return modelView(await getModel(this.rt, projectId, model));
  }

  private pass(
    call: Parameters<typeof wireApis.geminiContent>[0],
    { body, ...rest }: { caller: CallerRow; sent: Sent; body: unknown; reply: FastifyReply },
  ): Promise<void> {
    const read = checked(geminiRequest, withGeminiNames(body));
    return passTurn(this.rt, wireApis.geminiContent(call), { ...rest, body: read });
  }
}

const modelView = ({ name, contextWindow }: KnownModel) => ({
  name: `models/${name}`,
  baseModelId: name,
  displayName: name,
  inputTokenLimit: contextWindow,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
});
