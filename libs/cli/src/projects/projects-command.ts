import { UsageError, type Call, type Command } from '../program/command.js';
import { changeProject, changeServer } from './change-project.js';
import { listProjects } from './list-projects.js';
import { makeAdminKey } from './make-admin-key.js';
import { listUsage, usageOptions, usageSorts } from './list-usage.js';

/** The options of each action. */
const optionsOf: Record<string, readonly string[]> = {
  list: [],
  usage: usageOptions,
  suspend: [],
  resume: [],
  'pause-compaction': ['all'],
  'resume-compaction': ['all'],
  'admin-key': ['name'],
};

export const projects: Command = {
  summary: 'Lists, compares, suspends and pauses projects, and makes their admin keys, as the operator.',
  operands: [
    { name: 'action', required: false, choices: Object.keys(optionsOf) },
    { name: 'project', required: false },
  ],
  options: {
    from: {
      type: 'string',
      value: 'time',
      summary: 'Of usage: since when, a time or an age like 12h or 7d. Default: 24h.',
    },
    to: { type: 'string', value: 'time', summary: 'Of usage: until when. Default: now.' },
    sort: {
      type: 'string',
      value: 'figure',
      choices: usageSorts,
      summary: 'Of usage: the figure that sorts, the largest first. Default: messages.',
    },
    limit: { type: 'string', short: 'n', value: 'n', summary: 'Of usage: projects of a page. Default: 50.' },
    cursor: {
      type: 'string',
      value: 'cursor',
      summary: 'Of usage: the page after the one that named this cursor.',
    },
    name: { type: 'string', value: 'name', summary: 'Of admin-key: what the key is called.' },
    all: { type: 'boolean', summary: 'Of pause-compaction and resume-compaction: all projects.' },
  },
  notes: `A project is named by its id or its name. suspend refuses all its requests until resume; pause-compaction lets
no worker compact its threads until resume-compaction, while its agents go on. Nothing is lost by either. admin-key makes a key for a project that lost its admin keys, and
prints it alone on standard output.
It needs SPILLWAY_OPERATOR_PASSWORD in place of a key.`,
  async run(call) {
    const [action = 'list', project] = call.operands;
    refuseOthers(action, call.options);
    if (action === 'list' || action === 'usage') {
      if (project !== undefined)
        throw new UsageError(`\`spillway projects ${action}\` takes no further word.`);
      return action === 'list' ? listProjects(call) : listUsage(call);
    }
    if (action === 'admin-key') return makeAdminKey(call, project);
    if (call.options.all !== true) return changeProject(call, action, project);
    if (project !== undefined) throw new UsageError('Give a project or --all, not both.');
    return changeServer(call, action);
  },
};

/** An option of another action would be ignored: `projects suspend --all` would suspend one project. */
function refuseOthers(action: string, options: Call['options']): void {
  const given = Object.keys(options).find(
    (name) =>
      options[name] !== undefined &&
      !optionsOf[action]!.includes(name) &&
      Object.values(optionsOf).some((names) => names.includes(name)),
  );
  if (given !== undefined)
    throw new UsageError(`--${given} does not go with \`spillway projects ${action}\`.`);
}
