/** Changes a file with one post: its text below the front matter, and everything else in it. */

import { placedTexts, splitThread } from "../../../model/extras.ts";
import type { RawRow } from "../../../model/row.ts";
import { sameList } from "../../../model/text.ts";
import type { Calendar } from "../../../settings/calendar-settings.ts";
import { partsOfPostFile } from "./read-post-file.ts";
import type { EditResult, IdentifyPlatform, RowEdit } from "../row-edit.ts";
import { editYamlPost } from "../yaml/edit-yaml.ts";

const NO_PLACE =
  "plancast cannot add to the front matter of this post. Write it out as keys and values, one on each line.";

/** @param text of a file that was read without errors */
export function editPostFile(
  text: string,
  { rows, settings: { columns } }: Calendar,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): EditResult<string> {
  const [edit] = edits;
  if (edit === undefined) return { contents: text, faults: [] };
  const { frontMatter, bodyStart } = partsOfPostFile(text);
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const body = text.slice(bodyStart);
  const written = edit.cells.get("content");
  const content = typeof written === "string" ? written : undefined;
  const isInBody = content !== undefined && belongsInBody(content, body, rows[0]);
  const cells = new Map([...edit.cells].filter(([name]) => !isInBody || name !== "content"));
  const yaml = frontMatter === undefined ? "" : text.slice(frontMatter.start, frontMatter.end);
  const edited = cells.size === 0 ? yaml : editYamlPost(yaml, columns, { ...edit, cells }, identify);
  if (edited === undefined) return { contents: text, faults: [{ row: edit.row, message: NO_PLACE }] };
  const fields = edited === "" || /[\r\n]$/.test(edited) ? edited : edited + lineEnd;
  const fence = `---${lineEnd}`;
  const added = fields === "" ? "" : fence + fields + fence + lineEnd;
  const top =
    frontMatter === undefined
      ? added
      : text.slice(0, frontMatter.start) + fields + text.slice(frontMatter.end, bodyStart);
  const below = content === undefined ? body : withText(body, isInBody ? content : "", lineEnd);
  return { contents: top + below, faults: [] };
}

/**
 * A text in the front matter is replaced there. A text that the body would read as a thread goes into the front
 * matter, if it is the only text.
 */
function belongsInBody(content: string, body: string, row: RawRow | undefined): boolean {
  const texts = placedTexts(body);
  if (texts.length === 0 && row?.cells.content !== undefined) return false;
  return texts.length > 1 || sameList(splitThread(content), [content]);
}

/** The body with another first text. The posts of its thread stay. */
function withText(body: string, content: string, lineEnd: string): string {
  const written = content.replaceAll("\n", lineEnd);
  const [first] = placedTexts(body);
  if (first !== undefined) return body.slice(0, first.start) + written + body.slice(first.end);
  return content === "" ? body : `${lineEnd}${written}${lineEnd}`;
}
