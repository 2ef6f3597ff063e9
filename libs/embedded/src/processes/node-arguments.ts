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

/**
 * Environment of the apps: glibc keeps the freed memory of each thread for that thread, and returns little of it. Buffers
 * come and go in several of a process, so under load one takes 25 MB more than it uses. With one arena that is trimmed
 * from 128 KB on it does not, at the same speed. Other C libraries ignore both.
 */
export const nodeEnvironment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
