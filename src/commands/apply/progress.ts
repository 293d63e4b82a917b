/** The progress of an apply, on stderr: a bar on a terminal, an occasional line in a log. */

import { Writable } from "node:stream";
import { SingleBar } from "cli-progress";
import { type Clock, type Pace, waitMsFor } from "../../model/clock.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import { progressLine } from "../../report/outcomes/progress.ts";
import { counted, plural, roughDuration } from "../../report/text/numbers.ts";
import type { Console } from "../common/console.ts";
import type { Shell, TextStream } from "../common/shell.ts";

/** Facts about the requests while they are sent. */
interface Sending {
  /** Requests sent so far. */
  readonly requests: () => number;
  readonly pace: () => Pace;
}

export interface Progress {
  readonly begin: (plan: Plan, sending: Sending) => void;
  readonly outcome: (outcome: Outcome) => void;
  /** Requests wait; the text says for what. */
  readonly waiting: (text: string) => void;
  readonly end: () => void;
}

export function startProgress(shell: Shell, console: Console): Progress {
  return console.isLive ? bar(shell, console) : lines(shell.clock, console);
}

function bar({ clock, stderr }: Shell, console: Console): Progress {
  let speed = nothing;
  let wait = "";
  const shown = new SingleBar({
    // Computed at each draw, so that the remaining time counts down while no answer arrives.
    format: (_options, { value, total, maxWidth }) =>
      progressLine({ done: value, total, notes: [wait, speed()] }, console.errorStyle, maxWidth),
    forceRedraw: true,
    fps: 4,
    clearOnComplete: true,
    hideCursor: true,
    stream: asStream(stderr),
  });
  let active = false;
  return {
    begin: (plan, sending) => {
      active = plan.changes.length > 0;
      speed = speedOf(plan, sending, clock);
      if (active) shown.start(plan.changes.length, 0);
    },
    outcome: () => {
      wait = "";
      if (active) shown.increment();
    },
    waiting: (text) => {
      wait = text;
      if (!active) console.note(`${text}.\n`);
    },
    end: () => {
      if (active) shown.stop();
      active = false;
    },
  };
}

/** The bar needs a Node stream that is a terminal. */
function asStream(text: TextStream): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      text.write(String(chunk));
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => text.columns },
  });
}

/** With fewer changes, the report comes soon enough. */
const FEWEST_LINES = 20;

/** A line for every tenth of the work: enough to see progress, few enough to read. */
function lines(clock: Clock, console: Console): Progress {
  let total = 0;
  let done = 0;
  let speed = nothing;
  return {
    begin: (plan, sending) => {
      total = plan.changes.length;
      speed = speedOf(plan, sending, clock);
    },
    outcome: () => {
      done += 1;
      const tenth = Math.floor(total / 10);
      if (total >= FEWEST_LINES && done % tenth === 0 && done < total)
        console.note(
          `${done} of ${plural(total, "change")} handled${speed() === "" ? "" : ` · ${speed()}`}\n`,
        );
    },
    waiting: (text) => console.note(`${text}.\n`),
    end: () => {},
  };
}

function nothing(): string {
  return "";
}

/** A rate over less time means nothing, ms. */
const FIRST_RATE_MS = 3_000;

/** Describes the pace and the remaining time: `about 3 minutes left, 28 requests a minute`. */
function speedOf(plan: Plan, { requests, pace }: Sending, clock: Clock): () => string {
  const [startedAt, before] = [clock.now(), requests()];
  return () => {
    const sent = requests() - before;
    const elapsedMs = clock.now() - startedAt;
    const rate = elapsedMs < FIRST_RATE_MS ? 0 : Math.round((sent * 60_000) / elapsedMs);
    const leftMs = waitMsFor(pace(), Math.max(0, plan.requests - sent));
    const left = leftMs === 0 ? "" : `about ${roughDuration(leftMs)} left`;
    // The most important first, because a narrow terminal cuts the end.
    return [left, counted([[rate, rate === 1 ? "request a minute" : "requests a minute"]])]
      .filter(Boolean)
      .join(", ");
  };
}
