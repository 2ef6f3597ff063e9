/**
 * Elements in which coding agents put words of their own into a message of the user, with the agents in which each was
 * seen. What a user may have written or chosen stays: slash commands, attached instructions of a project.
 */
const elements = new Set([
  // Claude Code, Qwen Code, opencode.
  'system-reminder',
  // Claude Code.
  'task-notification',
  'local-command-stdout',
  'local-command-stderr',
  'bash-stdout',
  'bash-stderr',
  'user-prompt-submit-hook',
  'new-diagnostics',
  'ide_selection',
  'ide_opened_file',
  // Codex.
  'environment_context',
  'turn_aborted',
  // Gemini CLI.
  'session_context',
  // Cline.
  'environment_details',
  // GitHub Copilot CLI.
  'current_datetime',
]);

const opening = /<([a-z_-]{1,40})>/g;

/**
 * Returns a text without what a coding agent put into it, each such element whole; an element that does not end is text.
 * Such words are no request and no instruction of the user, though they are written like some. Linear in the text.
 */
export function withoutProgramText(text: string): string {
  let kept = '';
  let from = 0;
  const endless = new Set<string>();
  for (const { 0: tag, 1: name = '', index } of text.matchAll(opening)) {
    if (index < from || !elements.has(name) || endless.has(name)) continue;
    const end = text.indexOf(`</${name}>`, index + tag.length);
    if (end < 0) {
      endless.add(name);
      continue;
    }
    kept += text.slice(from, index);
    from = end + name.length + '</>'.length;
  }
  return from === 0 ? text : (kept + text.slice(from)).trim();
}
