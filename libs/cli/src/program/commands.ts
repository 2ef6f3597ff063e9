import type { Command } from './command.js';
import { completion } from '../completion/completion-command.js';
import { context } from '../context/context-command.js';
import { doctor } from '../doctor/doctor-command.js';
import { exportThread } from '../export/export-command.js';
import { importSession } from '../import/import-command.js';
import { keys } from '../keys/keys-command.js';
import { mcp } from '../mcp/mcp-command.js';
import { search } from '../search/search-command.js';
import { tail } from '../tail/tail-command.js';
import { threads } from '../threads/threads-command.js';

/** Every command, by its name, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  doctor,
  threads,
  context,
  search,
  tail,
  keys,
  export: exportThread,
  import: importSession,
  mcp,
  completion: completion(() => commands),
};
