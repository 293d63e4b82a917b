/** How an apply goes on, on stderr: a bar on a terminal, now and then a line in a log. */
import { SingleBar } from "cli-progress";
import type { Plan } from "../calendar/change.ts";
import type { Outcome } from "../calendar/outcome.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

export interface Progress {
  readonly begin: (plan: Plan) => void;
  readonly outcome: (outcome: Outcome) => void;
  /** Requests wait; the text says for what. */
  readonly waiting: (text: string) => void;
  readonly end: () => void;
}

export function startProgress(shell: Shell, console: Console): Progress {
  return shell.stderr.isTerminal ? bar(console) : lines(console);
}

function bar(console: Console): Progress {
  const format = "{bar} {value}/{total} changes{note}";
  const shown = new SingleBar({
    format,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
    barsize: 30,
  });
  let active = false;
  return {
    begin: ({ changes }) => {
      active = changes.length > 0;
      if (active) shown.start(changes.length, 0, { note: "" });
    },
    outcome: () => {
      if (active) shown.increment(1, { note: "" });
    },
    waiting: (text) => {
      if (active) shown.update({ note: ` · ${text}` });
      else console.note(`${text}.\n`);
    },
    end: () => {
      if (active) shown.stop();
      active = false;
    },
  };
}

/** A line for every tenth of the work: enough to see that it goes on, few enough to read. */
function lines(console: Console): Progress {
  let total = 0;
  let done = 0;
  return {
    begin: ({ changes }) => {
      total = changes.length;
    },
    outcome: () => {
      done += 1;
      const tenth = Math.max(1, Math.floor(total / 10));
      if (done % tenth === 0 && done < total) console.note(`${done} of ${total} changes done\n`);
    },
    waiting: (text) => console.note(`${text}.\n`),
    end: () => {},
  };
}
