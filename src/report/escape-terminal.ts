import { replaceHidden, visibleForm } from "./hidden-characters.ts";

/** Text of others as one line that is safe in a terminal: nothing in it moves the cursor, colours or reorders. */
export function escapeTerminal(text: string): string {
  return replaceHidden(text, visibleForm);
}

/**
 * GitHub's runner takes a line that starts with `::` for a command, blanks before it or not, and `##[` anywhere in a
 * line. Source: actions/runner, src/Runner.Common/ActionCommand.cs.
 */
// oxlint-disable-next-line no-control-regex -- our own colours may stand before the colons
const COLON_COMMAND = /^((?:\s|\u001B\[[0-9;]*m)*):(?=:)/;
const HASH_COMMAND = /##(?=\[|vso\[)/g;

/** Text in which `##[` and `##vso[` are no command to a runner, wherever they stand. */
export function withoutHashCommands(text: string): string {
  return text.replace(HASH_COMMAND, String.raw`#\u{23}`);
}

/**
 * Lines, escaped already, as text for a terminal or a CI log; each ends with a newline. The one gate through which
 * all text goes: whatever stood at the start of a wrapped line, none is a command to the runner.
 */
export function terminalText(lines: readonly string[]): string {
  return lines
    .map((line) => `${withoutHashCommands(line.replace(COLON_COMMAND, String.raw`$1\u{3a}`))}\n`)
    .join("");
}
