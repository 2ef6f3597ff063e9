/**
 * Whether a line is source code, as in a traceback or a printed file. Source speaks of failures and reports none. An
 * error of Elixir begins as a comment does: `** (KeyError) ...`.
 */
export const isSourceLine = (line: string): boolean => statement.test(line) && !notSource.test(line);

const statement =
  /[;{},(]\s*$|^\s*(?:\d+[:→|-]?\s+)?(?:\/\/|\/?\*|#|(?:import|export|const|let|return|throw|def|class|raise|except|if)\b|this\.|@)|\bthrow\b|=>/;
const notSource = /^\s*(?:\*\* \(|class file\b)/;
