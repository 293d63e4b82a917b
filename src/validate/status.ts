import { STATUSES, type CalendarSettings, type Status } from "../calendar/calendar-settings.ts";
import { foldName } from "../calendar/fold-name.ts";
import { nearest } from "../calendar/nearest.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Value } from "./row-view.ts";

/** What a row's status comes down to. The team's own words go first; a blank cell is ready, unless they say otherwise. */
export function readStatus(
  value: Pick<Value, "text" | "at"> | undefined,
  words: CalendarSettings["status_values"],
): Status | Problem {
  if (value === undefined && Object.keys(words).length === 0) return "ready";
  const folded = foldName(value?.text ?? "");
  const own = Object.entries(words).find(([word]) => foldName(word) === folded);
  const known = own?.[1] ?? STATUSES.find((status) => status === folded);
  if (known !== undefined) return known;
  return value === undefined || folded === "" ? "ready" : unknownStatus(value, Object.keys(words));
}

function unknownStatus(value: Pick<Value, "text" | "at">, words: readonly string[]): Problem {
  const { text } = value;
  const near = nearest(text, [...STATUSES, ...words]);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const message =
    `"${text}" is not a status.${hint} Use ready (or leave it blank), draft or skip, ` +
    "or say under `status_values:` in the project file which of them it stands for.";
  return problem("row/status", message, value.at());
}
