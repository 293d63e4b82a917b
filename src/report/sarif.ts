/** Problems in SARIF 2.1.0, the format in which code hosts take the findings of any checker. */
import { CODES } from "../calendar/codes.ts";
import type { Problem } from "../calendar/problem.ts";
import { visibleText } from "./visible-text.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export interface SarifOptions {
  /** plancast's own. */
  readonly version: string;
  /** The project's folder, seen from where the paths are to start; empty where it is that one. */
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
      shortDescription: { text: CODES[code].rule },
      defaultConfiguration: { level: CODES[code].severity },
    })),
  };
  const results = problems.map((each) => ({
    ruleId: each.code,
    ruleIndex: codes.indexOf(each.code),
    level: each.severity,
    message: { text: plainMessage(each.message) },
    ...locationsOf(each, folder),
  }));
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}

/**
 * In a message `[…](…)` is a link and `{0}` stands for an argument (SARIF 2.1.0, 3.11.5 and 3.11.6). The escapes that
 * are meant for them are shown as they are by some viewers; a zero-width space keeps text of others from being either.
 */
function plainMessage(message: string): string {
  return visibleText(message).replace(/\](?=\()|\{(?=\d+\})/g, "$&\u{200B}");
}

function locationsOf({ file, cell, ...place }: Problem, folder: string): object {
  if (file === undefined) return {};
  const path = folder === "" ? file : `${folder}/${file}`;
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

/** A relative URI reference; half a character, which no URI can hold, becomes the usual replacement. */
function uriOf(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, "\u{FFFD}")
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
}
