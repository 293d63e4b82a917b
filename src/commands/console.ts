/** Output as the flags and the terminal want it. Results go to stdout; all that is about the run goes to stderr. */
import { printJson } from "../report/print-json.ts";
import { createStyle, type Style } from "../report/style.ts";
import type { GlobalFlags } from "./command.ts";
import type { Shell, TextStream } from "./shell.ts";

export interface Console {
  readonly style: Style;
  readonly errorStyle: Style;
  /** A result, on stdout. */
  result(text: string): void;
  /** The one JSON document of the run, on stdout. */
  json(document: unknown): void;
  /** A note on the run, on stderr; nothing when quiet. */
  note(text: string): void;
  /** What must be seen, on stderr. */
  alert(text: string): void;
  /** Begins a new screen; nothing where stdout is no terminal, or one that cannot. */
  clear(): void;
  /** Whether details are wanted. */
  readonly verbose: boolean;
}

/** To the top left, and all below it erased; what was scrolled away stays. */
const CLEAR = "\u001B[H\u001B[J";

export function openConsole(shell: Shell, flags: GlobalFlags): Console {
  const style = styleOf(shell.stdout, shell, flags);
  const errorStyle = styleOf(shell.stderr, shell, flags);
  return {
    style,
    errorStyle,
    result: (text) => shell.stdout.write(text),
    json: (document) => shell.stdout.write(printJson(document)),
    note: (text) => {
      if (!flags.quiet) shell.stderr.write(text);
    },
    alert: (text) => shell.stderr.write(text),
    clear: () => {
      if (shell.stdout.isTerminal && shell.env["TERM"] !== "dumb") shell.stdout.write(CLEAR);
    },
    verbose: flags.verbose,
  };
}

function styleOf(stream: TextStream, { env }: Shell, { color }: GlobalFlags): Style {
  const wanted = stream.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return createStyle({
    color: color ?? wanted,
    width: stream.columns,
    unicode: !/^(C|POSIX)$/.test(locale),
  });
}
