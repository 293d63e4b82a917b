/**
 * A proposal without a person at a terminal: as a piece of plancast.yaml in which an open answer is `?`, and the answers that
 * somebody made of it.
 */

import { isDeepStrictEqual } from "node:util";
import { Document, isScalar, parse, parseDocument, stringify, visit } from "yaml";
import { isObject } from "../../model/data.ts";
import { OPEN_ANSWER } from "../../model/columns.ts";
import { Failure } from "../../model/failure.ts";
import type { Project, ProjectSettings } from "../../settings/config.ts";
import { parseProject } from "../project.ts";
import {
  type Choice,
  type ProposalLine,
  WORDS_ONLY,
  choiceNamed,
  isWritten,
  mergeSettings,
  settingsOfLines,
  settingIn,
} from "./proposal.ts";
import { type ProposalReading, type ProposalSource, readProposal } from "./read-proposal.ts";

/** For a project that exists. @param text of its plancast.yaml */
export function proposalSource(
  { root, file, extended }: Pick<Project, "root" | "file" | "extended">,
  text: string,
): ProposalSource {
  const given: unknown = parse(text);
  return {
    root,
    given: isObject(given) ? given : {},
    configOf: (settings) => parseProject(file, stringify(settings), extended),
    machine: undefined,
    isNew: false,
    hasPictures: true,
  };
}

/** Answers can lead to further lines, a few times: a column, its values, the rows that they leave. */
const MOST_READINGS = 12;

/** A file of answers: settings, in which the answer to a line can also be the word for a choice, such as `above`. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Settled {
  readonly reading: ProposalReading;
  /** Every line of every table, with the answer that somebody gave, or as it was first proposed. */
  readonly lines: readonly ProposalLine[];
  /** Lines that nobody has answered and that are not accepted. */
  readonly left: readonly ProposalLine[];
  /** The settings of all answers and of all accepted lines. */
  readonly settings: ProjectSettings;
}

/**
 * Reads the calendars, accepts lines, and reads them again until there are no further lines.
 * @param answers what somebody has answered
 * @param assumes the answer to take for an open line, only to find the lines that follow from it
 */
export async function settle(
  source: ProposalSource,
  answers: Answers,
  accepts: (line: ProposalLine) => boolean,
  assumes: (line: ProposalLine) => Choice | undefined = () => undefined,
): Promise<Settled> {
  const lines = new Map<string, ProposalLine>();
  const isAnswered = ({ path }: ProposalLine): boolean => settingIn(answers, path) !== undefined;
  const isTaken = (line: ProposalLine): boolean => isAnswered(line) || accepts(line);
  for (let count = 1; ; count += 1) {
    const all = [...lines.values()];
    const rest = settingsIn(answers, all.filter(isAnswered));
    const known = all.map((line) => (isTaken(line) ? line : { ...line, chosen: assumes(line) }));
    const reading = await readProposal(source, mergeSettings(settingsOfLines(known), rest));
    // As at a terminal: the answers to a table decide what the next ones ask.
    const [found = []] = reading.tables
      .map((table) => table.lines.filter(({ path }) => !lines.has(path.join("\n"))))
      .filter((added) => added.length > 0);
    for (const line of found) lines.set(line.path.join("\n"), withAnswer(line, answers));
    if (count < MOST_READINGS && found.length > 0) continue;
    const left = all.filter((line) => line.certainty !== "extra" && !isTaken(line));
    return { reading, lines: all, left, settings: mergeSettings(settingsOfLines(all.filter(isTaken)), rest) };
  }
}

/** The line with the answer that somebody gave. */
function withAnswer(line: ProposalLine, answers: Answers): ProposalLine {
  const said = settingIn(answers, line.path);
  if (said === undefined) return line;
  const chosen = typeof said === "string" ? choiceNamed(line, said) : undefined;
  return {
    ...line,
    chosen: chosen ?? {
      word: JSON.stringify(said),
      text: JSON.stringify(said),
      settings: settingAt(line.path, said),
    },
  };
}

/** Answers as settings: without the words that are none, those of some lines, and what is empty then. */
function settingsIn(answers: Answers, lines: readonly ProposalLine[] = []): ProjectSettings {
  const ofLines = new Set(lines.map(({ path }) => path.join("\n")));
  const isSetting = (path: readonly string[], value: unknown): boolean =>
    !ofLines.has(path.join("\n")) &&
    ((path.at(-1) === "header_row" && value === "none") || !WORDS_ONLY.some((word) => word === value));
  const left = leftOf(answers, isSetting);
  return isObject(left) ? left : {};
}

/** Undefined if nothing is left. An entry of `calendars:` without settings says nothing. */
function leftOf(
  value: unknown,
  isSetting: (path: readonly string[], value: unknown) => boolean,
  path: readonly string[] = [],
): unknown {
  if (path.length === 1 && path[0] === "calendars" && Array.isArray(value)) {
    const entries = value
      .map((each: unknown) => leftOf(each, isSetting, [...path, isObject(each) ? String(each["files"]) : ""]))
      .filter((each) => !isObject(each) || Object.keys(each).length > 1);
    return entries.length === 0 ? undefined : entries;
  }
  if (!isObject(value)) return isSetting(path, value) ? value : undefined;
  const left = Object.entries(value).flatMap(([name, each]) => {
    const kept = leftOf(each, isSetting, [...path, name]);
    return kept === undefined ? [] : [[name, kept]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** The lines as YAML, with examples as comments, and the other answers. `--answers` reads each word in it. */
export function proposalYaml({ lines, settings }: Pick<Settled, "lines" | "settings">): string {
  const proposed = lines
    .filter(isWritten)
    .map((line) => {
      const { path, chosen, certainty } = line;
      const said = chosen === undefined ? OPEN_ANSWER : (settingIn(chosen.settings, path) ?? chosen.word);
      // What the settings say is not written again.
      const isSaid = certainty === "certain" && settingIn(chosen?.settings, path) === undefined;
      return isSaid ? {} : settingAt(path, said);
    })
    .reduce(mergeSettings, settings);
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
 * The answers in a file, as `--propose` prints them.
 * @throws Failure if an answer is open @throws ProjectProblems if they are not valid
 */
export function readAnswers(file: string, text: string): Answers {
  const open: string[] = [];
  const document = parseDocument(text);
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && isScalar(value) && value.value === OPEN_ANSWER) open.push(String(key.value));
    },
  });
  if (open.length > 0)
    throw new Failure(
      "project/unanswered",
      `${file} still has ${OPEN_ANSWER} for ${open.map((each) => `"${each}"`).join(", ")}.`,
      `Replace each ${OPEN_ANSWER} with an answer. The comment beside it has the choices.`,
    );
  const parsed: unknown = document.errors.length === 0 ? document.toJS() : undefined;
  const answers = isObject(parsed) ? parsed : {};
  const settings = settingsIn(answers);
  parseProject(file, isDeepStrictEqual(settings, answers) || !isObject(parsed) ? text : stringify(settings));
  return answers;
}
