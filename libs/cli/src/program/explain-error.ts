import {
  AccessError,
  BudgetTooSmallError,
  ConflictError,
  ConnectionError,
  GoneError,
  InvalidRequestError,
  LastSeqChangedError,
  NotFoundError,
  RateLimitedError,
  SpillwayError,
  UnavailableError,
} from '@spillway/client';
import { isFailedWrite } from '../files/refuse-file.js';
import { CommandError, NoKeyError, UsageError, type Environment } from './command.js';
import { exitCode } from './exit-code.js';
import { ReaderGoneError } from './printer.js';
import { defaultUrl } from './server-settings.js';

/** An error as the program reports it. */
export interface Explanation {
  code: string;
  /** What is wrong. */
  message: string;
  /** What to do next. */
  next: string;
  exit: number;
  request_id: string | null;
}

/** Explains an error, or returns null for one that is a defect of the program. */
export function explainError(error: unknown, env: Environment): Explanation | null {
  if (error instanceof NoKeyError) return explanation('unauthorized', error.message, '', exitCode.noAccess);
  if (error instanceof UsageError)
    return explanation('usage', error.message, error.next, exitCode.wrongUsage);
  if (error instanceof CommandError) return explanation(error.code, error.message, error.next, error.exit);
  if (error instanceof ReaderGoneError) return explanation('EPIPE', error.message, '', exitCode.failed);
  if (isFileError(error))
    return explanation(error.code, fileMessage(error), fileAdvice(error), exitCode.failed);
  if (!(error instanceof SpillwayError)) return null;
  const { message, next, exit } = ofServer(error, env);
  return { ...explanation(error.code, message, next, exit), request_id: error.requestId };
}

/**
 * Throws the error of printing a result that nothing shows again, with what is lost and what to do about it. Throws any
 * other error as it is.
 */
export function refuseLost(error: unknown, lost: string, next: string): never {
  const printing = explainError(error, {});
  if (!printing) throw error;
  throw new CommandError(printing.code, `${lost} ${printing.message}`, next, printing.exit, { cause: error });
}

const explanation = (code: string, message: string, next: string, exit: number): Explanation => ({
  code,
  message,
  next,
  exit,
  request_id: null,
});

function ofServer(
  error: SpillwayError,
  { SPILLWAY_URL: url = defaultUrl }: Environment,
): Pick<Explanation, 'message' | 'next' | 'exit'> {
  const message = messageOf(error);
  if (error instanceof ConnectionError)
    return {
      message: `Spillway at ${url} cannot be reached: ${causeOf(error)}.`,
      next: 'Check SPILLWAY_URL and that the server runs; `spillway doctor` says more.',
      exit: exitCode.unavailable,
    };
  if (error instanceof AccessError)
    return {
      message,
      next:
        error.status === 401
          ? 'Set SPILLWAY_KEY to a key that is live.'
          : 'Use a key with that scope; `spillway doctor` lists the scopes of this one.',
      exit: exitCode.noAccess,
    };
  if (error instanceof NotFoundError)
    return { message, next: notFoundAdvice(error), exit: exitCode.notFound };
  if (error instanceof GoneError)
    return { message, next: 'It cannot be brought back.', exit: exitCode.notFound };
  if (error instanceof ConflictError || error instanceof LastSeqChangedError)
    return { message, next: 'Read what is recorded, then call again.', exit: exitCode.conflict };
  if (error instanceof BudgetTooSmallError) {
    // Without --max-tokens the window is too small, and the message says what to do.
    const isAsked = error.problem?.errors?.some(({ path }) => path === '/max_tokens') ?? false;
    return { message, next: isAsked ? 'Give --max-tokens a larger number.' : '', exit: exitCode.failed };
  }
  if (error instanceof InvalidRequestError)
    return { message, next: 'Change what the message names.', exit: exitCode.wrongUsage };
  if (error instanceof RateLimitedError)
    return { message, next: 'Wait a second, then call again.', exit: exitCode.unavailable };
  if (error instanceof UnavailableError)
    return { message, next: '`spillway doctor` says what is down.', exit: exitCode.unavailable };
  return { message, next: '`spillway doctor` checks the server.', exit: exitCode.failed };
}

/** One sentence or more. The first of the fields is often the message itself. */
function messageOf({ message, problem }: SpillwayError): string {
  const fields = (problem?.errors ?? [])
    .filter(({ message: what }) => !message.includes(what))
    .slice(0, 3)
    .map(({ path, message: what }) => `${path} ${what}`);
  const details = fields.length > 0 ? ` (${fields.join('; ')})` : '';
  return `${message.replace(/\.$/, '')}${details}.`;
}

/** What to do about a thing that is not there, by the code of the error. */
const notFoundAdvice = ({ code }: NotFoundError): string => {
  if (code === 'thread_not_found') return '`spillway threads` lists the threads of the project of this key.';
  if (code === 'key_not_found') return '`spillway keys list` lists the keys of the project.';
  return 'Check the address in SPILLWAY_URL: it must be that of the API, without a path.';
};

/** The system's own word for a connection that failed, such as `connect ECONNREFUSED 127.0.0.1:4000`. */
export function causeOf(error: Error): string {
  let deepest: unknown = error;
  for (let depth = 0; depth < 5 && deepest instanceof Error && deepest.cause !== undefined; depth++)
    deepest = deepest.cause;
  // Node.js tries each address of a name.
  const first = deepest instanceof AggregateError ? (deepest.errors[0] as unknown) : deepest;
  return (first instanceof Error ? first.message || first.name : String(first)).replace(/\.$/, '');
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).path === 'string' && 'code' in error;

const fileWords: Record<string, string> = {
  ENOENT: 'There is no such file or folder',
  EACCES: 'The file may not be opened',
  EISDIR: 'It is a folder, not a file',
  EEXIST: 'The file exists already',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
};

const fileMessage = (error: NodeJS.ErrnoException): string =>
  `${fileWords[error.code!] ?? error.message}: ${error.path!}.`;
const fileAdvice = (error: NodeJS.ErrnoException): string => {
  const { code = '' } = error;
  if (code === 'EEXIST') return 'Give another name, or --force.';
  if (code === 'EACCES') return 'Check who may read and write it.';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'Free some space, or write to another disk.';
  if (isFailedWrite(error)) return 'Check the disk and its limits.';
  return 'Check the name of the file.';
};
