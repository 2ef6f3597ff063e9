import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { clientId, plainText, readerToolSchemas, toolCall, toolsQuery } from '@spillway/contracts';
import {
  getThread,
  mistake,
  readerToolNamed,
  readerToolNames,
  runReaderTool,
  SpillwayError,
  type ReaderAnswer,
  type ReaderCall,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { checked, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { toolsIn } from './tool-definitions.js';

@Controller('v1/threads/:id/tools')
export class ToolsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(toolsQuery)) query: z.infer<typeof toolsQuery>,
  ) {
    const { format: ownFormat, count, names } = await this.settingsOf(projectId, threadId);
    const format = query.format ?? ownFormat;
    const tools = toolsIn(format, names);
    return { format, tools, names, tokens: count(JSON.stringify(tools)) };
  }

  @Post(':name')
  @HttpCode(200)
  async run(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('name', valid(plainText(64))) name: string,
    @Body(valid(toolCall)) { arguments: given, max_tokens: maxTokens }: z.infer<typeof toolCall>,
  ) {
    const { count, names } = await this.settingsOf(projectId, threadId);
    const tool = readerToolNamed(names, name);
    if (tool === undefined)
      throw new SpillwayError(
        'tool_not_found',
        'No tool of this thread has this name. GET .../tools lists them.',
      );
    let call: ReaderCall;
    try {
      call = {
        tool,
        arguments: checked(readerToolSchemas[tool].arguments, argumentsOf(given)),
      } as ReaderCall;
    } catch (error) {
      // The model made the arguments: it gets to know what is wrong with them.
      if (error instanceof SpillwayError && error.code === 'invalid_request')
        return answerView(name, mistake(error.message.replaceAll('/', ''), { count }));
      throw error;
    }
    return answerView(name, await runReaderTool(this.rt, { projectId, threadId, maxTokens }, call));
  }

  private async settingsOf(projectId: string, threadId: string) {
    const { format, count, policy } = await this.rt.settings.ofRow(
      await getThread(this.rt, projectId, threadId),
    );
    return { format, count, names: readerToolNames(policy.outputs.tool_names) };
  }
}

/** Some models send nothing where no argument is needed, and some providers send JSON as text. */
function argumentsOf(given: z.infer<typeof toolCall>['arguments']): unknown {
  if (typeof given !== 'string') return given;
  try {
    return given.trim() === '' ? {} : (JSON.parse(given) as unknown);
  } catch {
    throw new SpillwayError('invalid_request', 'The arguments are not valid JSON.');
  }
}

const answerView = (name: string, { text, isError, tokens }: ReaderAnswer) => ({
  name,
  text,
  is_error: isError,
  tokens,
});
