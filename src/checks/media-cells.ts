/** Reads a row's cells for media and alt texts. */

import {
  displayAddress,
  isAddress,
  isFilePage,
  readAddress,
  splitFiles,
  splitMedia,
} from "../model/address.ts";
import { canonicalExtras } from "../model/canonical.ts";
import { splitAlt, splitByText } from "../model/extras.ts";
import type { MediaReference } from "../model/post.ts";
import { type Position, type Problem, problem } from "../model/problem.ts";
import { tidyPath } from "../model/text.ts";
import { mediaOptions } from "../model/options/catalogue.ts";
import type { RowView, Value } from "./row-view.ts";

/** The form `media_<id>` of the service's interface. A value with a dot would be a file name. */
const MEDIA_ID = /^media_[A-Za-z0-9_-]+$/;
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

interface MediaCell {
  readonly references: readonly MediaReference[];
  readonly problems: readonly Problem[];
}

const NO_MEDIA: MediaCell = { references: [], problems: [] };

/** The row's media in their order, and the faults in how they are written. */
export function readMediaCell(row: RowView): MediaCell {
  const cell = row.values.media;
  if (cell === undefined) return NO_MEDIA;
  const parts = cell.items.map((item) => (cell.isList ? [item] : splitMedia(item)));
  return readReferences(parts, (index) => cell.at(index));
}

/** @param parts of each item of the cell */
function readReferences(parts: readonly (readonly string[])[], at: (item: number) => Position): MediaCell {
  const references: MediaReference[] = [];
  const problems: Problem[] = [];
  for (const [index, names] of parts.entries()) {
    for (const name of names) {
      const text = tidyPath(name);
      if (text === "") continue;
      const read = toReference(text);
      if ("kind" in read) references.push(read);
      else problems.push(problem(read.code, read.message, at(index)));
    }
  }
  return { references, problems };
}

/** The media and alt texts of one text of a post. */
export interface TextMedia {
  readonly references: readonly MediaReference[];
  readonly alt: readonly string[];
  /** The place of the first alt text without a medium. */
  readonly surplus: Position | undefined;
}

/** What the row says about media for each text of its thread, and the faults in how they are written. */
export function readThreadMedia(row: RowView): {
  readonly byText: readonly TextMedia[];
  readonly problems: readonly Problem[];
} {
  const { thread_media: media, thread_alt: alt } = row.values;
  if (media === undefined && alt === undefined) return NO_THREAD_MEDIA;
  const names = partsByText(media);
  const texts = partsByText(alt);
  const problems: Problem[] = [];
  const byText = Array.from({ length: Math.max(names.length, texts.length) }, (_, index): TextMedia => {
    const read = readReferences([splitFiles(names[index] ?? "")], () => row.at("thread_media", index));
    problems.push(...read.problems);
    const { references } = read;
    const { alt: own = [] } = canonicalExtras({ alt: splitAlt(texts[index] ?? "", references.length) });
    const surplus = own.length > references.length ? row.at("thread_alt", index) : undefined;
    return { references, alt: own, surplus };
  });
  return { byText, problems };
}

export const NO_TEXT_MEDIA: TextMedia = { references: [], alt: [], surplus: undefined };

const NO_THREAD_MEDIA = { byText: [], problems: [] } as const;

function partsByText(cell: Value | undefined): readonly string[] {
  if (cell === undefined) return [];
  return cell.isList ? cell.items : splitByText(cell.written);
}

/** The row's alt texts in canonical form, and the place of the first alt text without a medium. */
export function readAltCell(
  row: RowView,
  media: number,
): { readonly alt: readonly string[]; readonly surplus: Position | undefined } {
  const cell = row.values.alt;
  if (cell === undefined) return NO_ALT;
  const { alt = [] } = canonicalExtras({ alt: cell.isList ? cell.items : splitAlt(cell.written, media) });
  return { alt, surplus: alt.length > media ? cell.at(media) : undefined };
}

const NO_ALT = { alt: [], surplus: undefined } as const;

type MediaCellFault = { readonly code: "media/url" | "media/missing"; readonly message: string };

/** The media of a post's options, in their order; undefined if no option has one. */
export function optionReferences(options: readonly string[]): readonly MediaReference[] | undefined {
  const found = mediaOptions(options).flatMap(({ value }) => {
    const read = toReference(value);
    return "kind" in read ? [read] : [];
  });
  return found.length === 0 ? undefined : found;
}

/** A file, an address or an id; or why it is none of them. */
export function toReference(text: string): MediaReference | MediaCellFault {
  if (MEDIA_ID.test(text)) return { kind: "id", id: text };
  if (URL_FORM.test(text)) return toUrlReference(text);
  if (CONTROL.test(text)) {
    return { code: "media/missing", message: "The path contains invisible characters. Type it again." };
  }
  return { kind: "file", path: text.replaceAll("\\", "/") };
}

function toUrlReference(text: string): MediaReference | MediaCellFault {
  if (isFilePage(text)) {
    const message = `"${displayAddress(text)}" is a page that shows a file, and not the file itself. Download the file, put it next to the calendar and name its path.`;
    return { code: "media/url", message };
  }
  const read = isAddress(text) ? readAddress(text) : { wrong: "not-http" as const };
  if ("url" in read) return { kind: "url", ...read };
  const wrong = {
    "not-http": "is not an http or https address",
    "not-readable": "is not a valid http or https address",
    user: "contains a user name or password, which nobody else should see",
  };
  const way = "Use an address that anybody can open, or put the file next to the calendar and name its path.";
  return { code: "media/url", message: `"${displayAddress(text)}" ${wrong[read.wrong]}. ${way}` };
}
