import { relative } from 'node:path';
import type { RunningSpillway } from './spillway.js';

/** What one needs to know to begin. */
export function welcome(running: RunningSpillway): string {
  const { apiUrl, consoleUrl, apiKey } = running;
  const short = (path: string): string => relative(process.cwd(), path) || '.';
  const key = running.apiKeyFile ? `(kept in ${short(running.apiKeyFile)})` : '(from SPILLWAY_BOOTSTRAP_KEY)';
  return `
Spillway is running. Ctrl-C stops it.

  Console   ${consoleUrl}   sign in with the API key
  API       ${apiUrl}   reference: ${apiUrl}/docs
  API key   ${apiKey}   ${key}
  Data      ${short(running.dataDir)}   logs: ${short(running.logs)}

Name the thread's model, post a message, then read the context to send:

  export SPILLWAY_KEY=${apiKey}
  curl -s -X PUT ${apiUrl}/v1/threads/hello \\
    -H "Authorization: Bearer $SPILLWAY_KEY" -H "Content-Type: application/json" \\
    -d '{"model":"gpt-4o"}'
  curl -s ${apiUrl}/v1/threads/hello/messages \\
    -H "Authorization: Bearer $SPILLWAY_KEY" -H "Content-Type: application/json" \\
    -d '{"messages":[{"role":"user","content":"Hello, Spillway"}]}'
  curl -s ${apiUrl}/v1/threads/hello/context -H "Authorization: Bearer $SPILLWAY_KEY"
`;
}
