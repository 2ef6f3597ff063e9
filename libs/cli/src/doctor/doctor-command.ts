import { SpillwayError } from '@spillway/client';
import { UsageError, type Command, type Environment } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { explainError } from '../program/explain-error.js';
import { clientOf, serverUrl } from '../program/server-settings.js';
import { checkKey } from './check-key.js';
import { checkPostgres } from './check-postgres.js';
import { checkRedis } from './check-redis.js';
import { checkServer, requestTimeoutMs } from './check-server.js';
import { checkService } from './check-service.js';
import { notChecked, problem, type Finding } from './finding.js';

export const doctor: Command = {
  summary: 'Finds what is wrong with a server, and says what to do.',
  operands: [],
  options: {},
  notes: `Checks that the API answers, its clock, Postgres, Redis, the output storage, the key and its scopes, workers, the summary model, versions
and what needs a person. A key with the scope admin sees most. On the machine of the server, DATABASE_URL and REDIS_URL
let it look at Postgres and Redis themselves; it reads only.

Exit code 0: no problem, there may be warnings. 1: at least one problem.`,
  async run({ env, print }) {
    const findings = await allFindings(env);
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const warnings = findings.filter(({ state }) => state === 'warning').length;
    if (print.json) await print.value({ ok: problems === 0, problems, warnings, findings });
    else {
      for (const finding of findings) for (const line of linesOf(finding)) await print.line(line);
      await print.line('');
      await print.line(
        problems + warnings === 0 ? 'Nothing is wrong.' : `Problems: ${problems}. Warnings: ${warnings}.`,
      );
    }
    return problems === 0 ? exitCode.done : exitCode.failed;
  },
};

async function allFindings(env: Environment): Promise<Finding[]> {
  const ofServer = await serverFindings(env);
  const here = await Promise.all([checkPostgres(env.DATABASE_URL), checkRedis(env.REDIS_URL)]);
  return [...ofServer, ...here.flat()];
}

async function serverFindings(env: Environment): Promise<Finding[]> {
  let url: URL;
  try {
    url = serverUrl(env);
  } catch (error) {
    return [settingsFinding(error)];
  }
  const { findings, answers } = await checkServer(url);
  if (!answers) return [...findings, notChecked('key', 'The server does not answer.')];
  try {
    const spillway = clientOf(env, { maxRetries: 1, timeoutMs: requestTimeoutMs });
    const ofKey = await guarded(env, 'key', () => checkKey(spillway));
    if (ofKey.some(({ state }) => state === 'problem')) return [...findings, ...ofKey];
    return [...findings, ...ofKey, ...(await guarded(env, 'service', () => checkService(spillway)))];
  } catch (error) {
    return [...findings, settingsFinding(error)];
  }
}

function settingsFinding(error: unknown): Finding {
  if (!(error instanceof UsageError)) throw error;
  return problem(
    'settings',
    error.message,
    'Without it no request can be sent.',
    'Set it, then run this again.',
  );
}

/** A server that fails a request of the doctor has a problem, and the other checks go on. */
async function guarded(env: Environment, check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    const { message, next } = explainError(error, env)!;
    return [problem(check, message, 'It could not be checked further.', next)];
  }
}

const marks: Record<Finding['state'], string> = {
  ok: 'ok     ',
  warning: 'WARNING',
  problem: 'PROBLEM',
  not_checked: '-      ',
};

function linesOf({ check, state, finding, why, next }: Finding): string[] {
  const indent = ' '.repeat(10);
  return [
    `${marks[state]}  ${check}: ${finding}`,
    ...(why === undefined ? [] : [`${indent}Why: ${why}`]),
    ...(next === undefined ? [] : [`${indent}Do:  ${next}`]),
  ];
}
