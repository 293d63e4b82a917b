/** Problems as JUnit XML, which nearly every CI system shows. Only what all of them read is used. */
import type { Problem } from "../calendar/problem.ts";
import { placeName } from "../calendar/place-name.ts";
import { replaceHidden, visibleForm } from "./hidden-characters.ts";

/** A suite for what is about no file. */
const PROJECT = "project";

/**
 * A suite for each file. An error is a case that failed, a warning one that passed and has something to say; a file
 * without an error has a case that says so.
 * @param files those that were read, also where they are in order
 */
export function junitXml(problems: readonly Problem[], files: readonly string[]): string {
  const names = [...new Set([...files, ...problems.map(({ file }) => file ?? PROJECT)])];
  const suites = names.map((name) =>
    suiteOf(
      name,
      problems.filter(({ file }) => (file ?? PROJECT) === name),
    ),
  );
  const total = (count: (suite: Suite) => number): number =>
    suites.reduce((sum, each) => sum + count(each), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="plancast" tests="${total(({ tests }) => tests)}" failures="${total(({ failures }) => failures)}" errors="0">`,
    ...suites.flatMap(({ lines }) => lines),
    "</testsuites>",
    "",
  ].join("\n");
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly lines: readonly string[];
}

function suiteOf(name: string, problems: readonly Problem[]): Suite {
  const failures = problems.filter(({ severity }) => severity === "error").length;
  const cases = problems.map((each) => caseLine(name, each));
  if (failures === 0) cases.unshift(`    <testcase classname=${quoted(name)} name="no errors"/>`);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0"`;
  return {
    tests: cases.length,
    failures,
    lines: [`  <testsuite name=${quoted(name)} ${counts}>`, ...cases, "  </testsuite>"],
  };
}

function caseLine(suite: string, problem: Problem): string {
  const { severity, code, message } = problem;
  const place = placeName(problem);
  const text = `${place === "" ? "" : `${place} `}${code}: ${message}`;
  const opening = `    <testcase classname=${quoted(suite)} name=${quoted(`${place === "" ? suite : place} ${code}`)}>`;
  const body =
    severity === "error"
      ? `<failure type=${quoted(code)} message=${quoted(message)}>${escapeXml(text)}</failure>`
      : `<system-out>${escapeXml(`warning ${text}`)}</system-out>`;
  return `${opening}${body}</testcase>`;
}

function quoted(text: string): string {
  return `"${escapeXml(text)}"`;
}

/** What means something in XML; and `##`, with which a CI system's own commands begin. */
const SPECIAL = /[&<>"']|#(?=#)/g;

/** Text of others as XML on one line. What XML cannot hold, such as control characters, is hidden text anyway. */
function escapeXml(text: string): string {
  return replaceHidden(text, visibleForm).replace(SPECIAL, (special) => `&#${special.charCodeAt(0)};`);
}
