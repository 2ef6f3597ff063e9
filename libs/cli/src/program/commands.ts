import type { Command } from './command.js';
import { backup } from '../backup/backup-command.js';
import { completion } from '../completion/completion-command.js';
import { context } from '../context/context-command.js';
import { doctor } from '../doctor/doctor-command.js';
import { exportThread } from '../export/export-command.js';
import { fork } from '../fork/fork-command.js';
import { importSession } from '../import/import-command.js';
import { keys } from '../keys/keys-command.js';
import { mcp } from '../mcp/mcp-command.js';
import { projects } from '../projects/projects-command.js';
import { replay } from '../replay/replay-command.js';
import { restore } from '../restore/restore-command.js';
import { find } from '../search/find-command.js';
import { search } from '../search/search-command.js';
import { tail } from '../tail/tail-command.js';
import { threads } from '../threads/threads-command.js';
import { up } from '../up/up-command.js';

/** Every command, by its name, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  up,
  doctor,
  threads,
  find,
  context,
  search,
  tail,
  fork,
  keys,
  projects,
  export: exportThread,
  import: importSession,
  replay,
  backup,
  restore,
  mcp,
  completion: completion(() => commands),
};
