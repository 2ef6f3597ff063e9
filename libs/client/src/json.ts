/** Returns a value as JSON, with bytes as base64: the AI SDK takes images and files as either. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key: string, written: unknown) {
    // Bytes of Node.js have been turned into an object by then.
    const own = this[key];
    if (own instanceof Uint8Array) return base64Of(own);
    return own instanceof ArrayBuffer ? base64Of(new Uint8Array(own)) : written;
  });

/** More arguments at once may be too many for a call. */
const chunk = 8_192;

/** Returns bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  // Spreading them would take each byte through an iterator, which is ten times slower.
  for (let i = 0; i < bytes.length; i += chunk)
    binary += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(i, i + chunk)) as string;
  return btoa(binary);
}
