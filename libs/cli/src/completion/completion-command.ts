import type { Command } from '../program/command.js';
import { commonOptions } from '../program/parse-call.js';
import { completedCommands } from './completed-command.js';
import { bashScript } from './bash-script.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Made with the table of commands, of which it is one itself. */
export const completion = (commands: () => Readonly<Record<string, Command>>): Command => ({
  summary: 'Prints the completions of a shell.',
  operands: [{ name: 'shell', required: true, choices: Object.keys(scripts) }],
  options: {},
  notes: `bash: source <(spillway completion bash)
zsh:  source <(spillway completion zsh)
fish: spillway completion fish | source

--json prints the table of commands from which they are made.`,
  async run({ operands: [shell], print }) {
    const table = completedCommands(commands(), commonOptions);
    if (print.json) return print.value(table);
    await print.line(scripts[shell as keyof typeof scripts](table));
  },
});
