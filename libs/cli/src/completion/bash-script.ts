import type { CompletedCommand } from './completed-command.js';

/** Completions for bash from 3.2 on, without the package bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) words="${[...words, ...options.map((option) => `--${option.name}`)].join(' ')}" ;;`,
  );
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map((option) => `    "${name} --${option.name}") words="${option.choices.join(' ')}" ;;`),
  );
  return `# Completions of spillway for bash.
_spillway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=( $(compgen -W "${commands.map(({ name }) => name).join(' ')} help version" -- "$current") )
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${values.join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=( $(compgen -W "$words" -- "$current") )
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -o default -F _spillway spillway`;
}
