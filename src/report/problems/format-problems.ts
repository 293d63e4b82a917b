/**
 * Problems in the formats of other tools: SARIF 2.1.0, which code hosts accept from any checker, and JUnit XML, which
 * nearly every CI system shows. Uses only those parts of JUnit XML that all of these systems read.
 */

import { posix } from "node:path";
import { type Problem, placeName } from "../../model/problem.ts";
import { ALL_CODES } from "../../checks/rules/all-rules.ts";
import { printJson, replaceHidden, visibleForm, visibleText } from "../text/escape.ts";
import type { ProblemFormat } from "./problems-json.ts";

export interface ProblemFormatOptions extends SarifOptions {
  /** The calendars that were read, including those without a problem. */
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

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

interface SarifOptions {
  /** plancast's own. */
  readonly version: string;
  /** The project's folder, relative to the start of the paths; empty if they are the same. */
  readonly folder: string;
}

/** The document of one run. Columns count UTF-16 units, as everywhere in plancast. */
export function sarifDocument(problems: readonly Problem[], { version, folder }: SarifOptions): object {
  const codes = [...new Set(problems.map(({ code }) => code))].toSorted();
  const driver = {
    name: "plancast",
    semanticVersion: version,
    rules: codes.map((code) => ({
      id: code,
      shortDescription: { text: ALL_CODES[code]?.rule ?? code },
      defaultConfiguration: { level: ALL_CODES[code]?.severity ?? "warning" },
    })),
  };
  const results = problems.map((each) => ({
    ruleId: each.code,
    ruleIndex: codes.indexOf(each.code),
    level: each.severity,
    message: { text: plainMessage(withSettings(each)) },
    ...locationsOf(each, folder),
  }));
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}

/** The message, and the lines to paste. */
function withSettings({ message, settings }: Problem): string {
  return settings === undefined ? message : `${message}\n\n${settings}`;
}

/**
 * In a message, `[…](…)` is a link and `{0}` a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6). Some viewers show the
 * official escapes as they are. So a zero-width space breaks these forms in foreign text.
 */
function plainMessage(message: string): string {
  return visibleText(message).replace(/\](?=\()|\{(?=\d+\})/g, "$&\u{200B}");
}

function locationsOf({ file, cell, ...place }: Problem, folder: string): object {
  if (file === undefined) return {};
  // A file that plancast.yaml extends starts with `../`.
  const path = posix.join(folder, file);
  const physicalLocation = { artifactLocation: { uri: uriOf(path) }, ...regionOf(place, cell) };
  const logical = cell === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: cell }] };
  return { locations: [{ physicalLocation, ...logical }] };
}

/** A workbook has no lines of text; its cell is a logical location. */
function regionOf(
  { line, column, length }: Pick<Problem, "line" | "column" | "length">,
  cell: string | undefined,
): object {
  if (line === undefined || cell !== undefined) return {};
  const columns = column === undefined ? {} : { startColumn: column };
  const end = column === undefined || length === undefined ? {} : { endColumn: column + length };
  return { region: { startLine: line, ...columns, ...end } };
}

/** A relative URI reference. Half a character, which no URI can hold, becomes the usual replacement. */
function uriOf(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, "\u{FFFD}")
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
}

/** A suite for problems without a file. */
const PROJECT = "project";

/**
 * A suite for each file. An error is a failed case, a warning a passed one with output. A file without errors has one
 * passed case.
 * @param files that were read, including those without problems
 */
function junitXml(problems: readonly Problem[], files: readonly string[]): string {
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

/** Special characters of XML; and `##`, with which a CI system's own commands begin. */
const SPECIAL = /[&<>"']|#(?=#)/g;

/** Foreign text as XML on one line. What XML cannot hold, such as control characters, is invisible anyway. */
function escapeXml(text: string): string {
  return replaceHidden(text, visibleForm).replace(SPECIAL, (special) => `&#${special.charCodeAt(0)};`);
}
