/**
 * Node options of the apps. A server creates much short-lived garbage: with a small young generation and a limited old
 * one Node collects it instead of growing past 250 MB, at the same throughput.
 */
export const nodeArguments = ['--enable-source-maps', '--max-semi-space-size=4', '--max-old-space-size=384'];
