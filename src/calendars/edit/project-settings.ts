/**
 * Changes plancast.yaml. Comments stay. The new text is parsed again, and must mean the old settings with the changes.
 */

import { isObject } from "../../model/data.ts";
import { isDeepStrictEqual } from "node:util";
import { type Document, isCollection, isSeq, parseDocument } from "yaml";
import { Failure } from "../../model/failure.ts";
import { patternsOf } from "../../settings/calendar-settings.ts";
import type { Project, ProjectSettings } from "../../settings/config.ts";
import { parseProject } from "../project.ts";
import { mergeSettings } from "../proposal/proposal.ts";
import { CALENDAR_GLOB } from "../all-formats.ts";
import { blockText } from "../formats/yaml/write-yaml.ts";
import { YamlText } from "../formats/yaml/yaml-text.ts";

/**
 * The text of plancast.yaml with answers. Throws a Failure if there is no place for them, and ProjectProblems if the result
 * is not valid.
 * @param before the current text
 */
export function withSettings(
  { file, extended }: Pick<Project, "file" | "extended">,
  before: string,
  answers: ProjectSettings,
): string {
  const { calendars = [], ...others } = answers;
  let after = before;
  try {
    for (const [path, value] of leavesOf(others)) after = withLeaf(after, path, value);
    if (calendars.length > 0)
      after = changed(after, (document) => calendars.forEach((entry) => setEntry(document, entry)));
  } catch {
    throw noPlace(file, answers);
  }
  const config = parseProject(file, after, extended);
  const old: unknown = parseDocument(before).toJS();
  const expected = mergeSettings(isObject(old) ? old : {}, others);
  const { calendars: _calendars, ...wanted } = parseProject(file, JSON.stringify(expected), extended);
  const { calendars: _now, ...found } = config;
  if (isDeepStrictEqual(wanted, found)) return after;
  throw noPlace(file, answers);
}

/** Adds a value without a change to any other line. Only a value that is already there is replaced. */
function withLeaf(text: string, path: readonly string[], value: unknown): string {
  const yaml = new YamlText(text);
  if (yaml.get(path) !== undefined) return changed(text, (document) => document.setIn(path, value));
  const known = path.findLastIndex((_name, index) => yaml.get(path.slice(0, index)) !== undefined);
  const depth = Math.max(0, known);
  const [name = "", ...rest] = path.slice(depth);
  const pair = { [name]: rest.reduceRight<unknown>((inner, each) => ({ [each]: inner }), value) };
  const add = yaml.add(path.slice(0, depth), pair);
  if (add === undefined) throw new TypeError("there is no place");
  add();
  return yaml.toString();
}

/** The text after a change of its document, with the line ends that it had. */
function changed(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text);
  change(document);
  const after = document.toString({ lineWidth: 0 });
  return text.includes("\r\n") ? after.replaceAll("\n", "\r\n") : after;
}

/** Each value that is not a mapping, with its path. */
function leavesOf(value: unknown, path: readonly string[] = []): [readonly string[], unknown][] {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]));
}

/** Changes the entry for the same files, or adds one. */
function setEntry(document: Document, entry: NonNullable<ProjectSettings["calendars"]>[number]): void {
  if (typeof entry === "string") return;
  const [files] = patternsOf(entry);
  if (!document.has("calendars")) document.set("calendars", [CALENDAR_GLOB]);
  const list = document.get("calendars");
  if (!isSeq(list)) throw new TypeError("calendars is not a list");
  const shown: unknown = list.toJS(document);
  const entries: readonly unknown[] = Array.isArray(shown) ? shown : [];
  const isFor = (each: unknown): boolean =>
    each === files || (isObject(each) && (each["files"] ?? each["file"]) === files);
  const index = entries.findIndex(isFor);
  if (index === -1) list.add(document.createNode(entry));
  else if (typeof entries[index] === "string") list.set(index, document.createNode(entry));
  else {
    const node = list.get(index, true);
    if (!isCollection(node)) throw new TypeError("the entry is not a mapping");
    const { files: _same, ...settings } = entry;
    for (const [path, value] of leavesOf(settings)) node.setIn(path, value);
  }
}

function noPlace(file: string, answers: ProjectSettings): Failure {
  return new Failure(
    "write/not-written",
    `plancast cannot add the answers to ${file} without changing something else. Nothing was written.`,
    `Add these lines by hand:\n${blockText(answers)}`,
  );
}

/**
 * Adds an account to the text of plancast.yaml. Throws a Failure if there is no place for it, and ProjectProblems if its
 * settings are not valid.
 */
export function addAccountSettings(
  { file, extended }: Project,
  before: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): string {
  const yaml = new YamlText(before);
  const add =
    yaml.get(["accounts"]) === undefined
      ? yaml.add([], { accounts: { [name]: settings } })
      : yaml.add(["accounts"], { [name]: settings });
  add?.();
  const after = add === undefined ? undefined : yaml.toString();
  const config = after === undefined ? undefined : parseProject(file, after, extended);
  const old = parseProject(file, before, extended);
  const { [name]: added, ...others } = config?.accounts ?? {};
  if (after !== undefined && added !== undefined && isDeepStrictEqual({ ...config, accounts: others }, old))
    return after;
  throw new Failure(
    "write/not-written",
    `plancast cannot add the account ${name} to ${file} without changing something else. Nothing was written.`,
    `Add it by hand, under \`accounts:\`: ${JSON.stringify({ [name]: settings })}`,
  );
}
