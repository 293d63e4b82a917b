/** What `convert` wrote, and what to do with it. */
import type { Problem } from "../calendar/problem.ts";
import { terminalText } from "./escape-terminal.ts";
import { advice, paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import { problemDocument } from "./problem-document.ts";
import type { Style } from "./style.ts";

export interface Conversion {
  /** Files by their names from the project root. */
  readonly from: string;
  readonly out: string;
  readonly to: string;
  readonly rows: number;
  /** Rows with errors of their own, which were carried as they are. */
  readonly faulty: number;
  /** What stands in the way of planning with the new file: both are calendars of the project, or it is none. */
  readonly obstacle: "twice" | "no-calendar" | undefined;
}

export function conversionText(conversion: Conversion, style: Style): string {
  const { from, out, rows, faulty, obstacle: standing } = conversion;
  const lines = paragraph(`Wrote ${out}: ${plural(rows, "row")} of ${from}.`, style);
  if (faulty > 0) {
    const which =
      faulty === 1 ? "1 row has a mistake and stays" : `${plural(faulty, "row")} have mistakes and stay`;
    lines.push(...advice(`${which} as written: plancast validate ${from} tells what is wrong.`, style));
  }
  if (standing === "twice") {
    const message = `Both are calendars of this project, so each row would be there twice: remove ${from} before you plan.`;
    lines.push(...advice(message, style));
  }
  if (standing === "no-calendar") {
    const message = `${out} is not one of the project's calendars yet: name it under \`calendars:\` in the project file.`;
    lines.push(...advice(message, style));
  }
  return terminalText(lines);
}

/** `convert --format json`. Without a conversion nothing was written, and the problems say why. */
export function conversionDocument(conversion: Conversion | undefined, problems: readonly Problem[]): object {
  const { from, out, to, rows = 0, faulty = 0 } = conversion ?? {};
  return { version: 1, from, out, to, rows, faulty, problems: problems.map(problemDocument) };
}
