/** Reads the cells of a row that name platforms, media or a status. */

import { displayAddress, isAddress, readAddress, splitMedia } from "../model/media-address.ts";
import { nearest } from "../model/nearest.ts";
import type { MediaReference } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { foldName, tidyPath } from "../model/text.ts";
import type { CalendarSettings } from "../settings/calendar-settings.ts";
import { type Status, STATUSES } from "../model/fields.ts";
import type { RowView, Value } from "./row-view.ts";

/** The form `media_<id>` of the service's interface; a dot would make it a file name. */
const MEDIA_ID = /^media_[A-Za-z0-9_-]+$/;
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

interface MediaCell {
  readonly references: readonly MediaReference[];
  readonly problems: readonly Problem[];
}

const NO_MEDIA: MediaCell = { references: [], problems: [] };

/** The row's media in its own order, and what is wrong with how they are written. */
export function readMediaCell(row: RowView): MediaCell {
  const cell = row.value("media");
  if (cell === undefined) return NO_MEDIA;
  const references: MediaReference[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of cell.items.entries()) {
    for (const part of cell.isList ? [item] : splitMedia(item)) {
      const text = tidyPath(part);
      if (text === "") continue;
      const read = toReference(text);
      if ("kind" in read) references.push(read);
      else problems.push(problem(read.code, read.message, cell.at(index)));
    }
  }
  return { references, problems };
}

type MediaCellFault = { readonly code: "media/url" | "media/path"; readonly message: string };

function toReference(text: string): MediaReference | MediaCellFault {
  if (MEDIA_ID.test(text)) return { kind: "id", id: text };
  if (URL_FORM.test(text)) return toUrlReference(text);
  if (CONTROL.test(text)) {
    return { code: "media/path", message: "The path contains invisible characters. Type it again." };
  }
  return { kind: "file", path: text.replaceAll("\\", "/") };
}

function toUrlReference(text: string): MediaReference | MediaCellFault {
  const read = isAddress(text) ? readAddress(text) : { wrong: "not-http" as const };
  if ("url" in read) return { kind: "url", ...read };
  const wrong = {
    "not-http": "is no http or https address",
    "not-readable": "is no http or https address that can be understood",
    user: "holds a user name or password, which nobody else should see",
  };
  const way =
    "Use an address that gives the file to whoever asks, or put the file beside the calendar and name its path.";
  return { code: "media/url", message: `"${displayAddress(text)}" ${wrong[read.wrong]}. ${way}` };
}

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
    "or define it under `status_values:` in plancast.yaml.";
  return problem("row/status", message, value.at());
}
