import { apiOf, startStack, startStubLlm, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface StackWithModel {
  stub: StubLlm;
  stack: Stack;
  api: Api;
}

/**
 * Starts a stack that asks the stub LLM server for summaries, for all tests of a file, and hands both over before the
 * first. Each test begins with a server that answers plainly and has heard nothing. Options are those of a stack.
 */
export function stackWithModel(
  options: Parameters<typeof startStack>[0],
  started: (on: StackWithModel) => void,
): void {
  let stub: StubLlm | undefined;
  let stack: Stack | undefined;
  beforeAll(async () => {
    stub = await startStubLlm();
    stack = await startStack({ ...options, env: { ...stub.env, ...options?.env } });
    started({ stub, stack, api: apiOf(stack) });
  });
  afterAll(async () => {
    await stack?.stop();
    await stub?.stop();
  });
  beforeEach(() => stub!.reset());
}
