import type { JsonMessage } from '../http/api.js';
import { onlyKnown, Refusal, streamEvents, textsOf, type Answered, type WireApi } from './wire-api.js';

const known = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
];
/** The fields of a part that say what it is: it has one of them. */
const kinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];
const besideKinds = ['thought', 'thoughtSignature', 'videoMetadata'];
const knownOfFunction = [
  'name',
  'description',
  'behavior',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
];

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args?: unknown };
  functionResponse?: { id?: string; name: string; response?: Record<string, unknown> };
  [field: string]: unknown;
}

interface Content {
  role: string;
  parts: Part[];
}

/**
 * Gemini's `generateContent` and `streamGenerateContent`: https://ai.google.dev/api/generate-content. Its answers have ids
 * and signatures as those of Gemini 3: https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
export const gemini: WireApi = {
  path: /^\/v1(?:beta)?\/models\/([^/]+)$/,
  // Its rules are checked here; ids, tokens and the rest as those of the messages that its contents say.
  format: 'openai',
  read(body, path) {
    const [model, method] = decodeURIComponent(gemini.path.exec(path)![1]!).split(':');
    if (method !== 'generateContent' && method !== 'streamGenerateContent')
      throw new Refusal(`Method ${method} is not found.`);
    onlyKnown(body, known, ['contents']);
    const contents = body.contents as Content[];
    if (contents.length === 0)
      throw new Refusal('* GenerateContentRequest.contents: contents is not specified');
    contents.forEach(checkContent);
    checkTurns(contents);
    checkSignatures(contents);
    const tools = (body.tools ?? []) as { functionDeclarations?: { name: string }[] }[];
    if (tools.filter(({ functionDeclarations }) => functionDeclarations).length > 1)
      throw new Refusal('Multiple tools with function declarations are not supported.');
    const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    declared.forEach(checkDeclaration);
    const names = declared.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw new Refusal(`Duplicate function declaration found: ${twice}`);
    const results = contents.flatMap(({ parts }) => parts.flatMap((part) => resultOf(part) ?? []));
    return {
      model: model!,
      messages: messagesOf(contents),
      system: textsOf((body.systemInstruction as Content | undefined)?.parts).join('\n') || null,
      tools: declared,
      stream: method === 'streamGenerateContent',
      thinking: false,
      thinks: false,
      results,
      asked: contents.filter(isQuestion).map(({ parts }) => textsOf(parts).join('\n')),
    };
  },
  send(response, answer) {
    const chunks = answered(answer);
    if (answer.stream)
      streamEvents(
        response,
        chunks.map((data) => ({ data })),
      );
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole(chunks)));
  },
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

function checkContent({ role, parts, ...others }: Content, i: number): void {
  const unknown = (name: string, at: string) =>
    new Refusal(`Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`);
  const [extra] = Object.keys(others);
  if (extra !== undefined) throw unknown(extra, `contents[${i}]`);
  if (role !== 'user' && role !== 'model') throw new Refusal('Please use a valid role: user, model.');
  if (!Array.isArray(parts) || parts.length === 0)
    throw new Refusal(`* GenerateContentRequest.contents[${i}].parts: contents.parts must not be empty.`);
  for (const [n, part] of parts.entries()) {
    const fields = Object.keys(part);
    const at = `contents[${i}].parts[${n}]`;
    const stray = fields.find((field) => !kinds.includes(field) && !besideKinds.includes(field));
    if (stray !== undefined) throw unknown(stray, at);
    if (fields.filter((field) => kinds.includes(field)).length !== 1)
      throw new Refusal(`* ${at}.data: required oneof field 'data' must have one initialized field`);
    const response = part.functionResponse?.response;
    if (part.functionResponse && (typeof response !== 'object' || Array.isArray(response)))
      throw new Refusal(`* ${at}.function_response.response: must be an object`);
  }
}

/** https://ai.google.dev/api/caching#FunctionDeclaration */
function checkDeclaration(declared: Record<string, unknown> & { name: string }): void {
  const stray = Object.keys(declared).find((field) => !knownOfFunction.includes(field));
  if (stray !== undefined)
    throw new Refusal(`Invalid JSON payload received. Unknown name "${stray}" at 'tools'.`);
  if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(declared.name))
    throw new Refusal(`Invalid function name: ${declared.name}`);
  if (declared.parameters !== undefined && declared.parametersJsonSchema !== undefined)
    throw new Refusal('Only one of parameters and parameters_json_schema may be set.');
}

const callsOf = (content: Content | undefined): NonNullable<Part['functionCall']>[] =>
  content?.parts.flatMap(({ functionCall }) => functionCall ?? []) ?? [];
const responsesOf = (content: Content | undefined): NonNullable<Part['functionResponse']>[] =>
  content?.parts.flatMap(({ functionResponse }) => functionResponse ?? []) ?? [];
const isQuestion = (content: Content): boolean =>
  content.role === 'user' && responsesOf(content).length === 0;

/** Calls follow the user directly, and the next content has their results, one for each. */
function checkTurns(contents: readonly Content[]): void {
  for (const [i, content] of contents.entries()) {
    const [calls, responses] = [callsOf(content), responsesOf(content)];
    if (calls.length > 0 && contents[i - 1]?.role !== 'user')
      throw new Refusal(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    const before = callsOf(contents[i - 1]);
    if (responses.length > 0 && before.length === 0)
      throw new Refusal(
        'Please ensure that function response turn comes immediately after a function call turn.',
      );
    if (before.length !== responses.length)
      throw new Refusal(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    const named = (all: readonly { name: string }[]) =>
      all
        .map(({ name }) => name)
        .toSorted()
        .join();
    if (named(before) !== named(responses))
      throw new Refusal(`contents[${i}] answers other functions than were called.`);
    const strayId = responses.find(({ id }) => id !== undefined && !before.some((call) => call.id === id));
    if (strayId) throw new Refusal(`contents[${i}] answers the call ${strayId.id}, which was not made.`);
  }
}

const isSignature = (signature: string): boolean =>
  Buffer.from(signature, 'base64').toString().startsWith('signed ');
const signatureOf = (id: string): string => Buffer.from(`signed ${id}`).toString('base64');

/** Signatures are those that were given. The first call of each step of the turn in progress needs its own. */
function checkSignatures(contents: readonly Content[]): void {
  for (const { thoughtSignature } of contents.flatMap(({ parts }) => parts))
    if (thoughtSignature !== undefined && !isSignature(thoughtSignature))
      throw new Refusal('Corrupted thought signature.');
  const turn = contents.slice(contents.findLastIndex(isQuestion) + 1);
  for (const { parts } of turn) {
    const first = parts.find(({ functionCall }) => functionCall);
    if (first && first.thoughtSignature === undefined)
      throw new Refusal(
        `Function call is missing a thought_signature in functionCall parts: ${first.functionCall!.name}`,
      );
  }
}

/** What the model reads of a result. */
function resultOf({ functionResponse }: Part): string | undefined {
  if (!functionResponse) return undefined;
  const { result, output, error, ...others } = functionResponse.response ?? {};
  const only = Object.keys(others).length === 0 ? (result ?? output ?? error) : undefined;
  return typeof only === 'string' ? only : JSON.stringify(functionResponse.response);
}

/** The same conversation as messages of OpenAI's chat. */
function messagesOf(contents: readonly Content[]): JsonMessage[] {
  const idOf = (i: number, n: number) => `call_${i}_${n}`;
  return contents.flatMap((content, i): JsonMessage[] => {
    const { role, parts } = content;
    const text = textsOf(parts).join('\n');
    if (role === 'model') {
      const calls = callsOf(content).map(({ name, args }, n) => ({
        id: idOf(i, n),
        type: 'function',
        function: { name, arguments: JSON.stringify(args ?? {}) },
      }));
      return [{ role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
    }
    const open = callsOf(contents[i - 1]).map(({ name }, n) => ({ name, id: idOf(i - 1, n) }));
    const results = parts.flatMap((part): JsonMessage[] => {
      if (!part.functionResponse) return [];
      const at = open.findIndex(({ name }) => name === part.functionResponse!.name);
      const [call] = open.splice(at, 1);
      return [{ role: 'tool', tool_call_id: call!.id, content: resultOf(part) }];
    });
    return results.length > 0 && text === '' ? results : [...results, { role: 'user', content: text }];
  });
}

interface Chunk {
  candidates: { content: Content; index: number; finishReason?: string }[];
  usageMetadata?: object;
  modelVersion: string;
  responseId: string;
}

function answered({ reply, id, model, inputTokens, outputTokens }: Answered): Chunk[] {
  const signed = { thoughtSignature: signatureOf(id) };
  const calls = (reply.calls ?? []).map(({ name, args }, i): Part => ({
    functionCall: { id: `call-${id}-${i}`, name, args },
    ...(i === 0 ? signed : {}),
  }));
  // A text comes in pieces. Without calls, the signature may come in a last part without text.
  const half = Math.ceil((reply.text ?? '').length / 2);
  const texts = [reply.text?.slice(0, half), reply.text?.slice(half)].flatMap((text): Part[] =>
    text ? [{ text }] : [],
  );
  const of = (parts: Part[], rest: object = {}): Chunk => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }],
    modelVersion: model,
    responseId: id,
  });
  const last = of(calls.length > 0 ? calls : [{ text: '', ...signed }], { finishReason: 'STOP' });
  const usageMetadata = {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
  };
  return [...texts.map((part) => of([part])), { ...last, usageMetadata }];
}

/** One answer with the parts of all, its pieces of text joined. */
function whole(chunks: readonly Chunk[]): Chunk {
  const parts = chunks.flatMap(({ candidates }) => candidates[0]!.content.parts);
  const text = parts.map((part) => part.text ?? '').join('');
  const last = chunks.at(-1)!;
  const { thoughtSignature } = parts.at(-1)!;
  const rest = parts.filter((part) => part.text === undefined);
  const signed = rest.length === 0 ? { thoughtSignature } : {};
  const content = { role: 'model', parts: [...(text === '' ? [] : [{ text, ...signed }]), ...rest] };
  return { ...last, candidates: [{ ...last.candidates[0]!, content }] };
}
