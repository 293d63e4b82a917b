/** Output according to the flags and the terminal. Results go to stdout, everything about the run to stderr. */

import { printJson, terminalText, withoutCommands } from "../../report/text/escape.ts";
import { type Style, createStyle } from "../../report/text/style.ts";
import { advice } from "../../report/text/wrap.ts";
import { isCi } from "../../settings/environment.ts";
import type { Shell, TextStream } from "./shell.ts";

/** The flags that decide about output. */
export interface OutputFlags {
  readonly color: boolean | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export interface Console {
  readonly style: Style;
  readonly errorStyle: Style;
  /** A result, on stdout. */
  result(text: string): void;
  /** The one JSON document of the run, on stdout. */
  json(document: object): void;
  /** A result in the requested form: text, or the JSON document. */
  document(content: string | object): void;
  /** A note about the run, on stderr; omitted with --quiet. */
  note(text: string): void;
  /** What to do next, on stderr, for a person at a terminal. */
  next(text: string | undefined): void;
  /** Important messages, on stderr. */
  alert(text: string): void;
  /** Whether stderr can be redrawn: it is a terminal with a person, and with cursor control. */
  readonly isLive: boolean;
  /** Clears the screen; does nothing if stdout is not a terminal, or cannot do that. */
  clear(): void;
  /** Whether to show details. */
  readonly verbose: boolean;
}

/** Moves to the top left and erases everything below; the scrollback stays. */
const CLEAR = "\u001B[H\u001B[J";

/** @param json gets the JSON document; default: it is printed */
export function openConsole(
  shell: Pick<Shell, "stdout" | "stderr" | "env">,
  flags: OutputFlags,
  json = (document: object): void => shell.stdout.write(printJson(document)),
): Console {
  const style = styleOf(shell.stdout, shell, flags);
  const errorStyle = styleOf(shell.stderr, shell, flags);
  return {
    style,
    errorStyle,
    result: (text) => shell.stdout.write(text),
    json,
    document: (content) => (typeof content === "string" ? shell.stdout.write(content) : json(content)),
    note: (text) => {
      if (!flags.quiet) shell.stderr.write(withoutCommands(text));
    },
    next: (text) => {
      if (text !== undefined && !flags.quiet && isLive(shell.stderr, shell))
        shell.stderr.write(terminalText(advice(`Next: ${text}`, errorStyle)));
    },
    alert: (text) => shell.stderr.write(withoutCommands(text)),
    clear: () => {
      if (isLive(shell.stdout, shell)) shell.stdout.write(CLEAR);
    },
    isLive: !flags.quiet && isLive(shell.stderr, shell),
    verbose: flags.verbose,
  };
}

/** A log is not redrawn, even if a CI service makes it look like a terminal. */
function isLive(stream: TextStream, { env }: Pick<Shell, "env">): boolean {
  return stream.isTerminal && env["TERM"] !== "dumb" && !isCi(env);
}

/** Whether a variable is set to anything but a no. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !/^(|0|false)$/i.test(value);
}

/** In order of priority: the flag, NO_COLOR (https://no-color.org), FORCE_COLOR, the terminal. */
function wantsColor(stream: TextStream, { env }: Pick<Shell, "env">, { color }: OutputFlags): boolean {
  if (color !== undefined) return color;
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced === "" || isSet(forced);
  return stream.isTerminal && env["TERM"] !== "dumb";
}

function styleOf(stream: TextStream, shell: Pick<Shell, "env">, flags: OutputFlags): Style {
  const { env } = shell;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return createStyle({
    color: wantsColor(stream, shell, flags),
    width: stream.columns,
    unicode: !/^(C|POSIX)$/.test(locale),
  });
}
