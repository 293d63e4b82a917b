/** Writes one post as Markdown: front matter with its fields, then its text and thread. */

import { splitThread } from "../../../model/extras.ts";
import { isBlank, sameList } from "../../../model/text.ts";
import { type WriteOutput, type WrittenRow, textFaults } from "../written-row.ts";
import { yamlPost } from "../yaml/write-yaml.ts";

/** @param rows one, because the file holds one post */
export function writePostFile(rows: readonly WrittenRow[]): WriteOutput {
  const [row, ...more] = rows;
  if (row === undefined || more.length > 0) throw new Error("A file with one post holds one row.");
  const faults = textFaults(rows);
  if (faults.length > 0) return { faults };
  const body = bodyOf(row);
  const inBody: readonly string[] = body === undefined ? [] : ["content", "thread"];
  const fields = new Map([...row].filter(([column]) => !inBody.includes(column)));
  const frontMatter = fields.size === 0 ? "" : yamlPost(fields);
  return { contents: `---\n${frontMatter}---\n${body === undefined ? "" : `\n${body}\n`}` };
}

/** Characters that some programs read as a line end or as the start of a file, and git's conflict markers. */
const ONLY_IN_QUOTES = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\ufeff\ufffe\uffff]|^(?:<{7}|={7}|>{7})/mu;

/** The texts as they are below the front matter; undefined if they would be read differently there. */
function bodyOf(row: WrittenRow): string | undefined {
  const content = row.get("content");
  const thread = row.get("thread") ?? [];
  if (typeof content !== "string" || isBlank(content)) return undefined;
  const texts = [content, ...(typeof thread === "string" ? splitThread(thread) : thread)];
  // Without blank lines around it, Markdown reads a line --- as the mark of a heading.
  const body = texts.join("\n\n---\n\n");
  return ONLY_IN_QUOTES.test(body) || !sameList(splitThread(body), texts) ? undefined : body;
}

/** A name for the file of a post: its day, and its id or first words. Only letters, digits and hyphens. */
export function postFileName(row: WrittenRow): string {
  const [day = "post"] =
    /^\d{4}-\d\d-\d\d/.exec(String(row.get("scheduled_at") ?? row.get("date") ?? "")) ?? [];
  const words = slug(String(row.get("id") ?? "")) || slug(String(row.get("content") ?? ""));
  return words === "" ? day : `${day}-${words}`;
}

/** Longest part of a file's name that comes from a text, characters. */
const MAX_SLUG = 40;

function slug(text: string): string {
  const words =
    text
      .slice(0, 4 * MAX_SLUG)
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let made = "";
  for (const word of words) {
    const longer = made === "" ? word : `${made}-${word}`;
    if (longer.length > MAX_SLUG) break;
    made = longer;
  }
  return made === ""
    ? Array.from(words[0] ?? "")
        .slice(0, MAX_SLUG)
        .join("")
    : made;
}
