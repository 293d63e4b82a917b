/** `columns --format markdown`: for a comment or a page. */

import type { CalendarColumns, ProjectFileEdit } from "../../model/columns.ts";
import { problemsMarkdown } from "../problems/github.ts";
import { replaceHidden, visibleForm } from "../text/escape.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { clipText } from "../text/segments.ts";
import { changedLines, columnLine, columnsAdvice, factsOf } from "./columns-view.ts";

const HEAD = "\n| | header | stands for | known by | samples |\n| --- | --- | --- | --- | --- |\n";
const SAMPLE_LENGTH = 30;
/** UTF-16 units of problems. */
const MAX_PROBLEMS = 20_000;

export function columnsMarkdown(
  calendars: readonly CalendarColumns[],
  edit: ProjectFileEdit | undefined,
): string {
  return [...calendars.map(calendarText), ...(edit === undefined ? [] : [editText(edit)])].join("\n");
}

function calendarText(calendar: CalendarColumns): string {
  const { file, table, keys, problems } = calendar;
  const facts = factsOf(calendar).map(([name, text]) => `- ${name}: ${escapeMarkdown(text)}\n`);
  const used = (keys ?? []).map(({ name, posts }) => `- ${escapeMarkdown(name)}: ${posts}\n`);
  const rows = (table?.columns ?? []).map((each) => {
    const { letter, header, standsFor, knownBy, samples } = columnLine(each, calendar);
    const shown = samples.map((sample) => clipText(sample, SAMPLE_LENGTH)).join(" · ");
    return `| ${[letter, header, standsFor, knownBy, shown].map(escapeMarkdown).join(" | ")} |\n`;
  });
  return [
    `### ${escapeMarkdown(file)}\n\n`,
    ...facts,
    ...(keys === undefined
      ? []
      : ["\nYAML has no columns: its keys are fixed. Posts that use each:\n\n", ...used]),
    ...(rows.length === 0 ? [] : [HEAD, ...rows]),
    ...columnsAdvice(calendar).map((text) => `\n${escapeMarkdown(text)}\n`),
    ...(problems.length === 0 ? [] : [`\n${problemsMarkdown(problems, { maxLength: MAX_PROBLEMS })}`]),
  ].join("");
}

/** A block that is indented ends nowhere within, whatever its lines hold. */
function editText(edit: ProjectFileEdit): string {
  const lines = changedLines(edit);
  const file = escapeMarkdown(edit.file);
  if (lines.length === 0) return `${file} says all this already; nothing was written.\n`;
  const block = lines.map(({ sign, text }) => `    ${sign} ${replaceHidden(text, visibleForm)}\n`);
  return `Wrote ${file}:\n\n${block.join("")}`;
}
