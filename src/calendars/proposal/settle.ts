/**
 * A proposal without a person at a terminal: as a piece of plancast.yaml in which an open answer is `?`, and the answers that
 * somebody made of it.
 */

import { Document, isScalar, parse, parseDocument, visit } from "yaml";
import { Failure } from "../../model/failure.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { parseProject } from "../project.ts";
import {
  type Choice,
  type ProposalLine,
  isObject,
  mergeSettings,
  settingsOfLines,
  valueAt,
} from "./proposal.ts";
import { FILE_TABLE } from "./reading-tables.ts";
import { type ProposalReading, type ProposalSource, readProposal } from "./read-proposal.ts";

/** In place of an answer that only the team knows. */
const OPEN = "?";

/** Answers can lead to further lines, a few times: a column, its values, the rows that they leave. */
const MOST_READINGS = 8;

export interface Settled {
  readonly reading: ProposalReading;
  /** Every line of every table, as it was first proposed. */
  readonly lines: readonly ProposalLine[];
  /** Lines that nobody has answered and that are not accepted. */
  readonly left: readonly ProposalLine[];
}

/**
 * Reads the calendars, accepts lines, and reads them again until there are no further lines.
 * @param answers what somebody has answered
 * @param assumes the answer to take for an open line, only to find the lines that follow from it
 */
export async function settle(
  source: ProposalSource,
  answers: ProjectSettings,
  accepts: (line: ProposalLine) => boolean,
  assumes: (line: ProposalLine) => Choice | undefined = () => undefined,
): Promise<Settled> {
  const lines = new Map<string, ProposalLine>();
  const isLeft = (line: ProposalLine): boolean =>
    valueAt(answers, line.path) === undefined && line.certainty !== "extra" && !accepts(line);
  for (let count = 1; ; count += 1) {
    const known = [...lines.values()].map((line) =>
      accepts(line) ? line : { ...line, chosen: assumes(line) },
    );
    const reading = await readProposal(source, mergeSettings(settingsOfLines(known), answers));
    const added = reading.tables.map((table) => ({
      ...table,
      lines: table.lines.filter(({ path }) => !lines.has(path.join("\n"))),
    }));
    // Another sheet or header has other columns.
    const ofFile = added.filter(({ id, lines: those }) => id === FILE_TABLE && those.length > 0);
    const found = (ofFile.length > 0 ? ofFile : added).flatMap((table) => table.lines);
    for (const line of found) lines.set(line.path.join("\n"), line);
    const all = [...lines.values()];
    if (count === MOST_READINGS || found.length === 0)
      return { reading, lines: all, left: all.filter(isLeft) };
  }
}

/** The lines as YAML, with examples as comments. Answers take the place of proposals. */
export function proposalYaml(lines: readonly ProposalLine[], answers: ProjectSettings): string {
  const open = lines.filter(({ chosen }) => chosen === undefined);
  const proposed = [settingsOfLines(lines), ...open.map(({ path }) => settingAt(path, OPEN)), answers].reduce(
    mergeSettings,
    {},
  );
  const document = new Document(proposed);
  for (const line of lines) {
    const node = document.getIn(placeOf(line.path, proposed), true);
    if (isScalar(node)) node.comment = ` ${commentFor(line)}`;
  }
  return document.toString({ lineWidth: 0 });
}

/** Choices of a column in a comment. */
const COMMENTED = 3;

function commentFor({ path, examples, rows, question, choices, chosen, typed }: ProposalLine): string {
  const about = [
    ...(rows === undefined ? [] : [rows === 1 ? "1 row" : `${rows} rows`]),
    ...examples,
    ...(question === undefined ? [] : [question]),
    ...(chosen === undefined && path[0] === "columns"
      ? [...choices.slice(0, COMMENTED).map(({ word, text }) => `${word} (${text})`), "or another field"]
      : []),
    ...(chosen === undefined && path[0] !== "columns"
      ? [
          `one of: ${choices.map(({ word }) => word).join(", ")}${typed === undefined ? "" : `, or ${typed.prompt}`}`,
        ]
      : []),
  ];
  return about.join(" · ").replaceAll(/\s+/g, " ");
}

function settingAt(path: readonly string[], value: unknown): ProjectSettings {
  const [name = "", ...rest] = path;
  if (name === "calendars") {
    const [files = "", setting = ""] = rest;
    return { calendars: [{ files, [setting]: value }] };
  }
  return { [name]: rest.length === 0 ? value : settingAt(rest, value) };
}

/** The same path in a document, where an entry of `calendars:` has a number. */
function placeOf(path: readonly string[], settings: unknown): (string | number)[] {
  const [name, files] = path;
  if (name !== "calendars" || !isObject(settings)) return [...path];
  const entries: readonly unknown[] = Array.isArray(settings["calendars"]) ? settings["calendars"] : [];
  const index = entries.findIndex((each) => isObject(each) && each["files"] === files);
  return [name, index, ...path.slice(2)];
}

/**
 * The answers in a file, which is a piece of plancast.yaml.
 * @throws Failure if an answer is open @throws ProjectProblems if they are not valid settings
 */
export function readAnswers(file: string, text: string): ProjectSettings {
  const open: string[] = [];
  visit(parseDocument(text), {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && isScalar(value) && value.value === OPEN) open.push(String(key.value));
    },
  });
  if (open.length > 0)
    throw new Failure(
      "project/open-answers",
      `${file} still has ${OPEN} for ${open.map((each) => `"${each}"`).join(", ")}.`,
      `Replace each ${OPEN} with an answer. The comment beside it has the choices.`,
    );
  parseProject(file, text);
  const settings: unknown = parse(text);
  return isObject(settings) ? settings : {};
}
