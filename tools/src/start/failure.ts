import { StartError } from '@spillway/embedded';

/** One line for the user. The stack of an unexpected error is shown when SPILLWAY_DEBUG is set. */
export function failureLine(error: unknown): string {
  if (error instanceof StartError) return error.message.replaceAll(/\s*\n\s*/g, ' ');
  if (process.env['SPILLWAY_DEBUG'] && error instanceof Error && error.stack) return error.stack;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `Unexpected failure: ${text.replaceAll(/\s*\n\s*/g, ' ')} (set SPILLWAY_DEBUG=1 to see where).`;
}
