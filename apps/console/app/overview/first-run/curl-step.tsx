import { Copy } from '@/ui/copy';
import classes from './first-run.module.css';

/** A command that works once the key is set. The browser does not know the key. */
export function CurlStep({ apiUrl }: { apiUrl: string }) {
  const command = [
    `curl ${apiUrl}/v1/threads/hello/messages \\`,
    '  -H "Authorization: Bearer $SPILLWAY_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"messages":[{"role":"user","content":"Hello, Spillway."}]}'`,
  ].join('\n');
  return (
    <>
      <div className={classes.command}>
        <pre tabIndex={0} role="group" aria-label="Command that records a message">
          {command}
        </pre>
        <span className={classes.copy}>
          <Copy text={command} label="Copy the command" />
        </span>
      </div>
      <p className={classes.hint}>
        <code>$SPILLWAY_KEY</code> is your API key, the one you signed in with:{' '}
        <code>export SPILLWAY_KEY=sw_…</code> first. The console keeps no key, so it cannot fill it in.
      </p>
    </>
  );
}
