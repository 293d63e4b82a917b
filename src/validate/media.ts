import { isAddress, readAddress, displayAddress } from "../calendar/media-address.ts";
import { splitMedia } from "../calendar/split-media.ts";
import { tidyPath } from "../calendar/tidy-text.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { MediaReference } from "../calendar/post.ts";
import type { RowView } from "./row-view.ts";

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
    return { code: "media/path", message: "The path holds characters that cannot be seen. Type it again." };
  }
  return { kind: "file", path: text.replaceAll("\\", "/") };
}

function toUrlReference(text: string): MediaReference | MediaCellFault {
  const read = isAddress(text) ? readAddress(text) : { wrong: "is no http or https address" };
  if ("url" in read) return { kind: "url", ...read };
  const way =
    "Use an address that gives the file to whoever asks, or put the file beside the calendar and name its path.";
  return { code: "media/url", message: `"${displayAddress(text)}" ${read.wrong}. ${way}` };
}
