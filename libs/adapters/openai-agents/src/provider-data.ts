export type Json = Record<string, unknown>;

/** Fields of a call or a result that have a place of their own, in the wire of Responses or of chat completions. */
const placed = new Set([
  'id',
  'type',
  'call_id',
  'name',
  'function_name',
  'arguments',
  'output',
  'status',
  'namespace',
  'caller',
  'function',
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'audio',
]);

/** What a provider has beside the fields of an item, such as a signature that it wants back. The SDK sends it along. */
export const beside = (data: object | undefined): Json =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([name]) => !placed.has(name)));

/** The fields that have a value. */
export const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The program of OpenAI that made a call. */
export const callerIn = (caller: unknown): unknown =>
  caller === undefined ? undefined : inSnakeCase(caller);

/** Returns the field of the SDK for it; none when no program made the call. */
export function callerOf(caller: unknown): Json {
  const { type, caller_id: callerId } = (caller ?? {}) as Json;
  if (typeof type !== 'string') return {};
  return { caller: { type, ...(callerId === undefined ? {} : { callerId }) } };
}

/** Returns the field of the SDK for what is beside the fields of an item. */
export function providerDataOf(item: Json): Json {
  const providerData = beside(item);
  return Object.keys(providerData).length === 0 ? {} : { providerData };
}

export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), inSnakeCase(one)]),
  );
}
