/** docs/reference/problems.md: every code, with its cause, its fix and an example. */

import { ALL_CODES, ALL_RULES } from "../../checks/rules/all-rules.ts";
import type { ProblemEntry } from "../../problems/catalogue.ts";
import { headingAnchor, markdownTable } from "../text/markdown.ts";

/** The program's output for a small input, by code. Not every code has one. */
export type ProblemExamples = Readonly<Record<string, ProblemExample>>;

interface ProblemExample {
  /** plancast.yaml, if the problem needs special settings. */
  readonly project?: string;
  /** The command. */
  readonly command: string;
  /** Its output. */
  readonly output: string;
}

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/problems and scripts/problem-cases. Do not edit. -->

# Problems

Each problem has a code. An **error** stops the run before it changes anything. With a **warning**, the run continues.
Codes never change, so scripts can rely on them. The examples are real output. If an example needs a setting, it shows
\`plancast.yaml\` first.

`;

/** Families of codes, in the order of the catalogue. */
export function problemsReference(examples: ProblemExamples): string {
  const entries = Object.entries(ALL_CODES);
  const families = [...new Set(entries.map(([code]) => familyOf(code)))].map(
    (family) => [family, entries.filter(([code]) => familyOf(code) === family)] as const,
  );
  const contents = families.map(([family, codes]) => [
    `[${family}](#${family})`,
    codes.map(([code]) => `[\`${code}\`](#${headingAnchor(code)})`).join(" "),
  ]);
  const sections = families.map(
    ([family, codes]) =>
      `\n## ${family}\n${codes.map(([code, entry]) => section(code, entry, examples[code])).join("")}`,
  );
  return INTRODUCTION + markdownTable(["family", "codes"], contents) + sections.join("");
}

function familyOf(code: string): string {
  return code.split("/")[0] ?? code;
}

function section(code: string, entry: ProblemEntry, example: ProblemExample | undefined): string {
  const setting = ALL_RULES.some((rule) => rule.code === code)
    ? ". You can change it under [`rules:`](project-file.md#rules)"
    : "";
  const parts = [
    `\n### ${code}\n`,
    `Severity: ${entry.severity}${setting}.\n`,
    `- **Rule:** ${entry.rule}`,
    `- **Why you see this:** ${entry.cause}`,
    `- **What to do:** ${entry.fix}\n`,
  ];
  if (example !== undefined) {
    // A fence that is longer than any inside.
    const fence = "`".repeat(Math.max(3, ...backtickRuns(example.output).map((length) => length + 1)));
    const project = example.project === undefined ? "" : `$ cat plancast.yaml\n${example.project}\n`;
    parts.push(`${fence}text\n${project}$ ${example.command}\n${example.output.trimEnd()}\n${fence}\n`);
  }
  return parts.join("\n");
}

function backtickRuns(text: string): number[] {
  return [...text.matchAll(/`+/g)].map(([run]) => run.length);
}
