/** What an instruction does, the most binding first. */
export const instructionKinds = [
  'prohibition',
  'limit',
  'procedure',
  'format',
  'preference',
  'permission',
] as const;

export type InstructionKind = (typeof instructionKinds)[number];
