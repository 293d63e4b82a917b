/** What a fetch found in sheets, for people. */

import type { ProposalLine } from "../../calendars/proposal/proposal.ts";
import type { FetchDocument } from "../documents/calendars.ts";
import { terminalText } from "../text/escape.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { type Style, oneLine } from "../text/style.ts";
import { advice, clipText, paragraph } from "../text/wrap.ts";

type Calendar = FetchDocument["calendars"][number];
type Change = Calendar["changes"][number];

/** Rows shown of one calendar. The plan shows all of them as posts. */
const MOST_ROWS = 20;
/** Shown of one cell, letters. */
const CELL_LENGTH = 60;

/** @param isCheck nothing was written */
export function fetchedText({ calendars }: FetchDocument, isCheck: boolean, style: Style): string {
  return terminalText(calendars.flatMap((each) => calendarLines(each, isCheck, style)));
}

function calendarLines(calendar: Calendar, isCheck: boolean, style: Style): string[] {
  const { file, changes } = calendar;
  const shown = changes.slice(0, MOST_ROWS).flatMap((each) => changeLines(each, style));
  const more = changes.length - Math.min(changes.length, MOST_ROWS);
  return [
    ...paragraph(`${file}: ${sentence(calendar, isCheck)}`, style),
    ...shown,
    ...(more === 0 ? [] : advice(`${plural(more, "more row", "more rows")} differ.`, style)),
  ];
}

function sentence({ state, source, changes }: Calendar, isCheck: boolean): string {
  switch (state) {
    case "new":
      return isCheck ? `${source} has it, and there is no copy yet.` : `copied from ${source}.`;
    case "changed":
      return `${isCheck ? `newer in ${source}` : `fetched from ${source}`}: ${rowCounts(changes)}.`;
    case "same":
      return "nothing new.";
    case "kept":
      return "kept as it is, until the sheet changes again.";
    case "edited":
      return `nothing new in the sheet. The file was edited here: ${rowCounts(changes)}. Make the same edits in the sheet, or undo them with --take sheet.`;
    case "conflict":
      return `not fetched. This is how the sheet differs from the file: ${rowCounts(changes)}.`;
    case "failed":
      return "not fetched.";
    default:
      return state satisfies never;
  }
}

const WORDS: Readonly<Record<Change["kind"], string>> = { added: "added", changed: "changed", gone: "gone" };

/** `2 rows added, 1 row gone`. */
function rowCounts(changes: readonly Change[]): string {
  const parts = (["added", "changed", "gone"] as const).flatMap((kind) => {
    const count = changes.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : [`${plural(count, "row")} ${WORDS[kind]}`];
  });
  // Moved rows, and notes beside cells.
  return parts.length === 0 ? "the order of rows, or notes beside them" : parts.join(", ");
}

function changeLines(change: Change, style: Style): string[] {
  const head = `${WORDS[change.kind].padEnd(7)}  row ${change.line}`;
  const clipped = (text: string): string => clipText(oneLine(text, style), CELL_LENGTH);
  if (change.cells === undefined) return paragraph(`${head}  ${clipped(change.text ?? "")}`, style, "  ");
  return change.cells.flatMap(({ column, before, after }, index) =>
    paragraph(
      `${index === 0 ? head : " ".repeat(head.length)}  ${column}: ${quoted(clipped(before))} ${style.marks.arrow} ${quoted(clipped(after))}`,
      style,
      "  ",
    ),
  );
}

function quoted(text: string): string {
  return text === "" ? "(blank)" : `“${text}”`;
}

/** For the pull request that a job opens. */
export const FETCH_PULL_REQUEST = {
  title: "Fetch the sheets",
  body: "People edited the sheets. A comment below shows the plan. If you merge this, plancast makes exactly these changes.\n\nEdit the sheets, not their copies here: the next fetch updates this pull request.",
};

const SETTINGS_HEAD =
  "**plancast proposes settings for new columns and values.** They are in `plancast.yaml` of this pull request. If you merge it, you accept them. If one is wrong, correct the file here first.";

/** What plancast wrote into plancast.yaml, and what only the team knows. Undefined if it is nothing. */
export function proposalMarkdown(
  lines: readonly ProposalLine[],
  open: readonly ProposalLine[],
): string | undefined {
  if (lines.length + open.length === 0) return undefined;
  return [
    `> [!IMPORTANT]\n> ${SETTINGS_HEAD}\n\n`,
    ...lines.map((line) => item(line, escapeMarkdown(line.chosen?.text ?? ""))),
    ...open.map((line) =>
      item(line, "nobody but you can know this. Add the answer to `plancast.yaml` here."),
    ),
  ].join("");
}

function item(line: ProposalLine, answer: string): string {
  return `- **${escapeMarkdown(clipText(line.name, CELL_LENGTH))}**: ${answer}${examplesOf(line)}\n`;
}

function examplesOf({ examples }: ProposalLine): string {
  return examples.length === 0
    ? ""
    : ` (${examples.map((each) => escapeMarkdown(clipText(each, CELL_LENGTH))).join(", ")})`;
}

/** What was fetched, for a comment. @param isRefused whether somebody closed the pull request with the same contents */
export function fetchedMarkdown(
  documents: readonly FetchDocument[],
  { isRefused }: { readonly isRefused: boolean },
): string {
  const calendars = documents.flatMap((each) => each.calendars);
  const lines = calendars.map(
    (each) =>
      `- ${escapeMarkdown(each.file)}: ${escapeMarkdown(sentence(each, false))}\n${rowsMarkdown(each)}`,
  );
  return lines.join("") + (isRefused ? REFUSED : "");
}

const REFUSED =
  "\nSomebody closed the pull request with exactly these contents, so no new one was opened. Reopen it, or edit the sheet.\n";

export const MERGED = "\n**Merged automatically.** The workflow that applies it was started.\n";

export const FETCHED_NEXT_TIME =
  "Somebody pushed to the main branch during this run. The next run opens the pull request.\n";

/** With `auto-merge`, why a person decides. */
export const NOT_MERGED =
  "\n**Not merged automatically:** the plan has an error, a cancel, or a question, or the pull request changes settings. Read it, and merge it yourself.\n";

/** @param files copies of sheets that strangers can open */
export function notMergedUnguarded(files: readonly string[]): string {
  return `\n**Not merged automatically:** ${files.map(escapeMarkdown).join(", ")}: anybody with the link can open the sheet, so plancast cannot know who edits it. Share it only with people whom you name.\n`;
}

function rowsMarkdown({ changes }: Calendar): string {
  const shown = changes.slice(0, MOST_ROWS);
  const more = changes.length - shown.length;
  return [
    ...shown.map((each) => `  - ${changeMarkdown(each)}\n`),
    ...(more === 0 ? [] : [`  - ${plural(more, "more row", "more rows")}\n`]),
  ].join("");
}

function changeMarkdown({ kind, line, cells, text = "" }: Change): string {
  const clipped = (each: string): string => escapeMarkdown(quoted(clipText(each, CELL_LENGTH)));
  const parts = cells?.map(
    ({ column, before, after }) => `${escapeMarkdown(column)}: ${clipped(before)} → ${clipped(after)}`,
  ) ?? [escapeMarkdown(clipText(text, CELL_LENGTH))];
  return `row ${line} ${WORDS[kind]}: ${parts.join("; ")}`;
}
