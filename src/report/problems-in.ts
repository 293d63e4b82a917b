import type { Problem } from "../calendar/problem.ts";
import type { ProblemFormat } from "../calendar/problem-formats.ts";
import { junitXml } from "./junit.ts";
import { printJson } from "./print-json.ts";
import { sarifDocument, type SarifOptions } from "./sarif.ts";

export interface ProblemFormatOptions extends SarifOptions {
  /** The calendars that were read, also those without a problem. */
  readonly files: readonly string[];
}

/** Problems in one of those formats, as a whole document. */
export function formatProblems(
  format: ProblemFormat,
  problems: readonly Problem[],
  options: ProblemFormatOptions,
): string {
  switch (format) {
    case "sarif":
      return printJson(sarifDocument(problems, options));
    case "junit":
      return junitXml(problems, options.files);
    default:
      return format satisfies never;
  }
}
