/**
 * Node options of the apps. A server creates much short-lived garbage: with a young generation of a few megabytes and a
 * limited old one Node collects it instead of growing past 250 MB. In one of half that size more requests are still in
 * progress when it is collected, and an append costs a fifth more CPU.
 *
 * V8 compiles a regular expression to bytecode first and to machine code at its second use. For our large ones the
 * bytecode takes six times as long to make as the machine code, which is therefore made at once.
 */
export const nodeArguments = [
  '--enable-source-maps',
  '--max-semi-space-size=8',
  '--max-old-space-size=384',
  '--no-regexp-tier-up',
];
