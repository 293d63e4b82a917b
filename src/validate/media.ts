import { tidyPath } from "../calendar/tidy-text.ts";
import { MEDIA_SEPARATOR } from "../calendar/row.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { MediaReference } from "../calendar/post.ts";
import type { RowView } from "./row-view.ts";

/** The form `media_<id>` of the service's interface; a dot would make it a file name. */
const MEDIA_ID = /^media_[A-Za-z0-9_-]+$/;
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

interface Media {
  readonly references: readonly MediaReference[];
  readonly problems: readonly Problem[];
}

const NOTHING: Media = { references: [], problems: [] };

/** The row's media in its own order, and what is wrong with how they are written. */
export function mediaOf(row: RowView): Media {
  const cell = row.value("media");
  if (cell === undefined) return NOTHING;
  const references: MediaReference[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of cell.items.entries()) {
    for (const part of cell.isList ? [item] : item.split(MEDIA_SEPARATOR)) {
      const text = tidyPath(part);
      if (text === "") continue;
      const wrong = problemWith(text);
      if (wrong === undefined) references.push(reference(text));
      else problems.push(problem(wrong.code, wrong.message, cell.at(index)));
    }
  }
  return { references, problems };
}

function reference(text: string): MediaReference {
  return MEDIA_ID.test(text) ? { kind: "id", id: text } : { kind: "file", path: text.replaceAll("\\", "/") };
}

function problemWith(text: string): { code: "media/url" | "media/path"; message: string } | undefined {
  if (URL_FORM.test(text)) {
    const message = `"${text}" is an address. Download the file, put it beside the calendar and name its path.`;
    return { code: "media/url", message };
  }
  if (CONTROL.test(text)) {
    return { code: "media/path", message: "The path holds characters that cannot be seen. Type it again." };
  }
  return undefined;
}
