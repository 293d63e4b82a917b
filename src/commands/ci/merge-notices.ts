/**
 * What a merge does besides its plan: settings that send posts elsewhere or otherwise, and files that decide what CI runs.
 * A pull request shows each of them. Pure.
 */

import { isMap, parseDocument } from "yaml";
import { isObject, isSameJson } from "../../model/data.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { clipped } from "../../model/text.ts";
import {
  answersChangedText,
  otherEncodingText,
  settingChangedText,
  workflowChangedText,
} from "../../problems/trust-texts.ts";

/** The settings that decide where, when and with which texts and links posts are published, what runs afterwards, and who gets alerts. */
const REDIRECTING = [
  "extends",
  "service",
  "accounts",
  "lockfile",
  "platforms",
  "utm",
  "quiet_hours",
  "safety",
  "automations",
  "notify",
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
  // In UTF-16, which plancast reads, too: nothing here could be compared.
  if ((before + after).includes("\0"))
    return [problem("plan/setting-changed", otherEncodingText(clipped(file)), { file })];
  const [was = {}, now = {}] = [before, after].map(settingsIn);
  return [
    ...REDIRECTING.flatMap((name) => changesIn(name, was[name], now[name])),
    ...changesIn("calendars", sheetsIn(was), sheetsIn(now)),
  ].map(([name, old, value]) =>
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

/** The addresses of sheets, by their copies. The plan shows what else the settings say about calendars. */
function sheetsIn({ calendars }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries: readonly unknown[] = [calendars].flat();
  const sheets = entries.flatMap((entry) =>
    isObject(entry) && "from" in entry ? [[String(entry["file"]), entry["from"]] as const] : [],
  );
  return Object.fromEntries(sheets);
}

/**
 * A warning if answers of clients are removed, or become approvals: posts that wait for a client could then go out. New
 * answers only withhold.
 */
export function approvalNotices({ file, before, after }: ChangedFile): readonly Problem[] {
  const [was, now] = [before, after].map(answersIn);
  const loosened = Object.entries(was ?? {}).flatMap(([key, answer]) => {
    const newer = now?.[key];
    if (isSameJson(answer, newer)) return [];
    const word = isObject(newer) ? newer["answer"] : undefined;
    return newer === undefined || word === "approved" ? [`${clipped(key)} (${shownAnswer(word)})`] : [];
  });
  return loosened.length === 0
    ? []
    : [problem("plan/setting-changed", answersChangedText(loosened), { file })];
}

function answersIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    const answers = isObject(value) ? value["answers"] : undefined;
    return isObject(answers) ? answers : {};
  } catch {
    // A broken file is an error of its own, and there may be none.
    return {};
  }
}

function shownAnswer(word: unknown): string {
  return word === undefined ? "no answer any more" : "approved";
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

/** Files that CI systems run, wherever in the repository some of them may be. */
const CI_FILE = new RegExp(
  [
    String.raw`^\.(?:github|gitea|forgejo)/(?:workflows|actions)/`,
    String.raw`(?:^|/)action\.ya?ml$`,
    String.raw`^\.(?:gitlab|circleci|buildkite|woodpecker|semaphore|teamcity|tekton|azure[a-z-]*)/`,
    String.raw`gitlab-ci\.ya?ml$`,
    String.raw`(?:^|/)\.?(?:azure-pipelines|bitbucket-pipelines|woodpecker|drone|travis|appveyor|buildspec|cloudbuild)[\w.-]{0,50}\.ya?ml$`,
    String.raw`(?:^|/)Jenkinsfile[\w.-]{0,50}$`,
  ].join("|"),
);

/** A workflow of GitHub gets the keys only if it asks for secrets, or is called with them. */
const GITHUB_WORKFLOW = /^\.github\/workflows\//;
const GETS_KEYS = /plancast|secrets|workflow_call|uses:\s*["']?\.\//i;

/** Files that decide which program the name `plancast` starts. */
const PACKAGE_FILE =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/;
const CHOOSES_PROGRAM = /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|plancast[\w.-]{0,100}\.tgz)$/;

/** Whether a change of a file may be one that a merge shows. */
export function canRunPlancast(path: string): boolean {
  return [CI_FILE, PACKAGE_FILE, CHOOSES_PROGRAM].some((pattern) => pattern.test(path));
}

/** A warning for each file that decides what CI does with the keys, or which program it runs. */
export function workflowNotices(files: readonly ChangedFile[]): readonly Problem[] {
  return files
    .filter((each) => each.before !== each.after && decides(each))
    .map(({ file }) => problem("plan/setting-changed", workflowChangedText(clipped(file))));
}

function decides({ file, before, after }: ChangedFile): boolean {
  if (PACKAGE_FILE.test(file)) return aboutPlancast(before) !== aboutPlancast(after);
  return !GITHUB_WORKFLOW.test(file) || GETS_KEYS.test(before + after);
}

/** The lines of a package file that mention plancast, each with the two after it: there are its address and its hash. */
function aboutPlancast(text: string): string {
  const lines = text.split("\n");
  const near = (index: number): boolean =>
    [0, 1, 2, 3].some((back) => /plancast/i.test(lines[index - back] ?? ""));
  return lines.filter((_, index) => near(index)).join("\n");
}
