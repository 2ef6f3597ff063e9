const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"sku${i}":${i}`).join()}}`;

/** Inputs that a model may write, as the text that it wrote, and no request of a caller may have. */
export const inputsOfModels: [string, string][] = [
  ['nested-too-deeply', `{"tree":${nested(70)}}`],
  ['of-a-key-twice', '{"path":"a.txt","path":"b.txt"}'],
  ['of-a-key-of-prototypes', '{"patch":{"__proto__":{"isAdmin":true}}}'],
  ['of-prototypes-alone', '{"__proto__":{"isAdmin":true},"path":"a.txt"}'],
  ['of-10001-keys', keys(10_001)],
  ['of-a-key-of-5000-bytes', `{"${'k'.repeat(5_000)}":1}`],
  ['of-20000-values', `{"rows":[${'1,'.repeat(20_000)}1]}`],
];
