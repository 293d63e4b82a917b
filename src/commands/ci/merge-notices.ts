/**
 * What a merge does besides its plan: settings that send posts elsewhere or otherwise, and workflows that run plancast.
 * A pull request shows each of them. Pure.
 */

import { isMap, parseDocument } from "yaml";
import { isObject, isSameJson } from "../../model/data.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { clipped } from "../../model/text.ts";
import { settingChangedText, workflowChangedText } from "../../problems/trust-texts.ts";

/** The settings that decide where, when and with which texts and links posts are published. */
const REDIRECTING = [
  "extends",
  "service",
  "accounts",
  "lockfile",
  "platforms",
  "utm",
  "quiet_hours",
  "safety",
];

/** A file of the project with settings, before and after the merge. An empty text: there is none. */
export interface ChangedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A warning for each setting that changes. */
export function settingNotices({ file, before, after }: ChangedFile): readonly Problem[] {
  if (before === after) return [];
  const [was, now] = [before, after].map(settingsIn);
  return REDIRECTING.flatMap((name) => changesIn(name, was?.[name], now?.[name])).map(([name, old, value]) =>
    problem("plan/setting-changed", settingChangedText(clipped(name), shown(old), shown(value)), { file }),
  );
}

function settingsIn(text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text, { logLevel: "silent" });
  // Broken settings are an error of their own.
  if (document.errors.length > 0 || !isMap(document.contents)) return {};
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return isObject(value) ? value : {};
}

type SettingChange = readonly [name: string, before: unknown, after: unknown];

/** The innermost settings that differ. */
function changesIn(name: string, before: unknown, after: unknown): readonly SettingChange[] {
  if (isSameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [[name, before, after]];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changesIn(`${name}.${key}`, before[key], after[key]),
  );
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : clipped(JSON.stringify(value) ?? "");
}

/** Files that CI systems run. */
const WORKFLOW =
  /^(?:\.github\/(?:workflows|actions)\/.+|\.gitlab-ci\.yml|\.circleci\/config\.yml|bitbucket-pipelines\.yml|azure-pipelines\.yml|Jenkinsfile)$/;

export function isWorkflow(path: string): boolean {
  return WORKFLOW.test(path);
}

/** A warning for each workflow that runs plancast, before or after the merge. */
export function workflowNotices(files: readonly ChangedFile[]): readonly Problem[] {
  return files
    .filter(({ before, after }) => before !== after && /plancast/i.test(before + after))
    .map(({ file }) => problem("plan/setting-changed", workflowChangedText(clipped(file))));
}
