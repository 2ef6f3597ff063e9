/**
 * How the apps are run. A server makes much short-lived garbage: with a small young generation and a bounded old one
 * Node collects it instead of growing past 250 MB, at the same throughput.
 */
export const nodeArguments = ['--enable-source-maps', '--max-semi-space-size=4', '--max-old-space-size=384'];
