/** What a draft wrote into calendars, as a diff to review, and what it did not write. */

import { networkTitle } from "../../checks/networks/network-names.ts";
import type { AnswerNext, UndraftedReason } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { DraftDocument, RequestedDocument } from "../documents/calendars.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { counted, plural } from "../text/numbers.ts";
import { advice, clipText, paragraph } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";
import { MAX_ANSWER_LENGTH } from "./write-outcome.ts";

/** One request of a row. */
export type DraftItem = RequestedDocument["wanted"][number];

export type UndraftedItem = DraftDocument["undrafted"][number];

export function draftText({ rows, undrafted, summary }: DraftDocument, style: Style): string {
  const files = [...new Set(rows.map(({ file }) => file))];
  const lines = files.flatMap((file) => [
    ...["---", "+++"].map((mark) => style.colors.bold(`${mark} ${escapeTerminal(file)}`)),
    ...rows.filter((row) => row.file === file).flatMap((row) => rowLines(row, style)),
  ]);
  return terminalText([
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    ...undrafted.flatMap((item) => itemLines(item, style)),
    ...paragraph(summaryText(rows, summary), style),
    ...(undrafted.some(({ code }) => code === "write/not-written") ? advice(ANOTHER, style) : []),
    ...(rows.some(hasText) ? advice(REVIEW, style) : []),
    ...(rows.some(hasAlt) ? advice(REVIEW_ALT, style) : []),
  ]);
}

const ANOTHER =
  "plancast does not request these texts again. To get another text, run `plancast draft --again ROW`, where ROW is the row's id, or its file and line.";

const REVIEW =
  "Read the texts, and change what you like. plancast plans a row when its status is ready or blank.";

const REVIEW_ALT =
  "Read the alt texts, and compare them with the pictures. The next apply sends them with their posts.";

type DraftedRow = DraftDocument["rows"][number];

function hasAlt({ cells }: DraftedRow): boolean {
  return cells.some(({ column }) => column === "alt");
}

function hasText({ cells }: DraftedRow): boolean {
  return cells.some(({ column }) => column !== "alt");
}

function rowLines({ line, name, cells }: DraftedRow, style: Style): string[] {
  const { colors } = style;
  return [
    colors.cyan(`@@ row ${line}, ${escapeTerminal(name)} @@`),
    ...cells
      .filter(({ before, after }) => before !== after)
      .flatMap(({ column, before, after }) => [
        ...(before === undefined ? [] : signedLines("-", column, before).map(colors.red)),
        ...signedLines("+", column, after).map(colors.green),
      ]),
  ];
}

function signedLines(mark: string, column: string, text: string): string[] {
  return text.split("\n").map((part, index) => {
    const head = index === 0 ? `${column}: ` : "  ";
    return `${mark} ${escapeTerminal(head + part)}`;
  });
}

function itemLines(item: UndraftedItem, style: Style): string[] {
  const { code, message = "the run stopped before it" } = item;
  const what = {
    failed: "was not drafted",
    unknown: "may or may not have been made",
    not_started: "was not requested",
    unwanted: "was not written",
  };
  const why = `${message.replace(/\.$/, "")}${code === undefined ? "" : ` (${code})`}.`;
  const kept =
    item.text === undefined
      ? []
      : paragraph(`The ${item.kind === "image" ? "picture" : "text"}: ${item.text}`, style, "  ");
  const answer = item.answer === undefined ? [] : paragraph(answerText(item.answer), style, "  ");
  return [...paragraph(`${itemName(item)} ${what[item.status]}: ${why}`, style), ...kept, ...answer];
}

/** Why it was not written, and what happens to the answer. */
export function undraftedMessage(reason: UndraftedReason, next: AnswerNext | undefined): string {
  return `${undraftedText(reason)}${next === undefined ? "" : ` ${NEXT[next]}`}`;
}

const NEXT: Readonly<Record<AnswerNext, string>> = {
  waits:
    "plancast saved the picture's address: the next run downloads this picture, and requests another one only if --again names the row.",
  "asked-again": "plancast did not keep it: the next run requests another one.",
  "row-stays": "plancast did not keep it and did not change the row: use `--again` to request another one.",
};

/** Not escaped. */
export function undraftedText(reason: UndraftedReason): string {
  switch (reason.kind) {
    case "message":
      return reason.message;
    case "changed-since":
      return "somebody changed the cell during the request, so plancast kept that text and dropped this answer";
    case "no-row":
      return "no row needs it any more, so plancast dropped this answer";
    case "calendar-changed":
      return "Somebody changed the calendar during the request, so plancast wrote nothing into it. Run again: plancast kept the answers, so they cost nothing more.";
    case "no-picture":
      return "The service's answer contains neither the picture's address nor the picture.";
    case "not-downloaded":
      return "plancast could not download the picture.";
    case "no-image":
      return `The service's file is not a picture (${reason.mime}).`;
    case "names-taken":
      return `There are already ${reason.count} files named ${reason.stem}.`;
    case "not-writable":
      return `plancast cannot write the picture: ${reason.why}.`;
    default:
      return reason satisfies never;
  }
}

function answerText(answer: string): string {
  return `plancast stopped its requests, because it cannot read this answer: ${clipText(answer, MAX_ANSWER_LENGTH)}`;
}

/** For example `calendars/a.csv:4, launch: the text for X`. */
function itemName({ source: { file, line }, row: name, kind, platform }: DraftItem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const row = name === place ? place : `${place}, ${name}`;
  const what = {
    image: "picture",
    alt: "alt text",
    text: platform === undefined ? "text" : `text for ${networkTitle(platform)}`,
  };
  return `${row}: the ${what[kind]}`;
}

function summaryText(rows: readonly DraftedRow[], summary: DraftDocument["summary"]): string {
  const files = new Set(rows.map(({ file }) => file)).size;
  const done =
    rows.length === 0
      ? "Nothing was written"
      : `Drafted ${plural(rows.length, "row")} in ${plural(files, "calendar")}`;
  const left = counted([
    [summary.failed, "failed"],
    [summary.unknown, "unknown"],
    [summary.not_started, "not requested"],
    [summary.unwanted, "no longer needed"],
  ]);
  const waiting = summary.kept === 0 ? "" : ` ${plural(summary.kept, "answer")} kept for the next run.`;
  return `${[done, left].filter(Boolean).join(", ")}.${waiting}`;
}

/** Text for `--dry-run` and the question. */
export function plannedRequestsText(items: readonly DraftItem[], waiting: number): string {
  const count = (wanted: DraftItem["kind"]): number => items.filter(({ kind }) => kind === wanted).length;
  const [texts, alts, pictures] = [count("text"), count("alt"), count("image")];
  const rows = new Set(items.map(({ source }) => JSON.stringify(source))).size;
  const what = [
    ...(texts === 0 ? [] : [plural(texts, "text")]),
    ...(alts === 0 ? [] : [plural(alts, "alt text")]),
    ...(pictures === 0 ? [] : [plural(pictures, "picture")]),
  ].join(" and ");
  const kept =
    waiting === 0
      ? ""
      : ` ${plural(waiting, "answer")} from an earlier run ${waiting === 1 ? "is" : "are"} ready.`;
  if (items.length === 0) return `Nothing to request.${kept}`;
  return `${plural(items.length, "request")}: ${what} for ${plural(rows, "row")}.${kept}`;
}

export function dryRunText({ wanted, summary }: RequestedDocument, style: Style): string {
  return terminalText([
    ...wanted.flatMap((item) => paragraph(`${itemName(item)}.`, style)),
    ...paragraph(plannedRequestsText(wanted, summary.waiting), style),
  ]);
}

export function dryRunDocument(
  wanted: readonly DraftItem[],
  waiting: number,
  problems: readonly Problem[],
): RequestedDocument {
  return {
    version: 1,
    summary: { requests: wanted.length, waiting },
    wanted,
    problems: problems.map(problemDocument),
  };
}

/** @param kept how many answers wait for the next run */
export function draftDocument(
  { rows, undrafted, requests }: Pick<DraftDocument, "rows" | "undrafted" | "requests">,
  kept: number,
  problems: readonly Problem[],
): DraftDocument {
  const count = (status: UndraftedItem["status"]): number =>
    undrafted.filter((each) => each.status === status).length;
  return {
    version: 1,
    summary: {
      rows: rows.length,
      failed: count("failed"),
      unknown: count("unknown"),
      not_started: count("not_started"),
      unwanted: count("unwanted"),
      kept,
    },
    rows,
    undrafted,
    requests,
    problems: problems.map(problemDocument),
  };
}
