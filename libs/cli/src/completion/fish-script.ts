import type { CompletedCommand } from './completed-command.js';

/** Completions for fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options, words, takesFile }) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c spillway -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(takesFile ? [`complete -c spillway ${within} -F`] : []),
      ...(words.length > 0 ? [`complete -c spillway ${within} -a ${quoted(words.join(' '))}`] : []),
      ...options.map((option) =>
        [
          `complete -c spillway ${within} -l ${option.name}`,
          ...(option.short === null ? [] : [`-s ${option.short}`]),
          ...(option.takesValue ? ['-r'] : []),
          ...(option.choices.length > 0 ? [`-f -a ${quoted(option.choices.join(' '))}`] : []),
          `-d ${quoted(option.summary)}`,
        ].join(' '),
      ),
    ];
  });
  return ['# Completions of spillway for fish.', 'complete -c spillway -f', ...lines].join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
