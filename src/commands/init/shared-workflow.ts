/**
 * The one workflow of a repository with several projects. A new project needs its key there. What cannot be edited
 * safely is not edited: then people get the lines to add.
 */

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Document, type Pair, type YAMLMap, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { choosesFolder } from "../../calendars/find-projects.ts";
import { createWhole, makeFolder, namesIn, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import type { SharedWorkflow } from "../../report/init/notes.ts";
import type { FurtherProject } from "./files.ts";
import { keyExpression, keyLine, projectPatterns, workflowTemplate } from "./workflows.ts";

const FOLDER = ".github/workflows";

/** Facts for the workflow of all projects. */
export interface SharedWorkflowOptions {
  /** Absolute path of the repository. */
  readonly repository: string;
  /** What the jobs use, for example `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of the published calendars. */
  readonly branch: string;
  /** The new project: its folder from the repository, and the variable with its key. */
  readonly added: { readonly folder: string; readonly variable: string };
  /** The folders and variables of all others. */
  readonly others: FurtherProject["others"];
}

/** Writes the workflow, or adds the key of the new project to it. */
export async function updateSharedWorkflow(options: SharedWorkflowOptions): Promise<SharedWorkflow> {
  const { repository, added } = options;
  const found = await findShared(repository);
  if (found !== undefined) return extend(found, added);
  const path = `${FOLDER}/plancast.yml`;
  const place = await placeInProject(repository, path);
  if ((await statsAt(place)) === undefined) {
    await makeFolder(await placeInProject(repository, FOLDER));
    await createWhole(place, projectsWorkflow(options, false));
    return { kind: "written", path };
  }
  const text = (await readRegular(place)).toString("utf8");
  // A workflow for one project, as init wrote it.
  const { action, branch, others } = options;
  const repeats = [false, true].find((each) =>
    others.some(({ folder }) => workflowTemplate({ action, branch, folder, repeats: each }) === text),
  );
  if (repeats === undefined) return { kind: "by-hand", path, lines: stepLines(options) };
  await writeAtomic(place, projectsWorkflow(options, repeats));
  return { kind: "replaced", path };
}

/** What the steps of the workflow name. */
function namedIn({ added, others }: Pick<SharedWorkflowOptions, "added" | "others">) {
  const all = [...others, added];
  return {
    patterns: projectPatterns(all.map(({ folder }) => folder)),
    variables: [...new Set(all.map(({ variable }) => variable))].sort(),
  };
}

function projectsWorkflow(options: SharedWorkflowOptions, repeats: boolean): string {
  const { action, branch } = options;
  return workflowTemplate({ action, branch, repeats, ...namedIn(options) });
}

/** What to change by hand, so that a workflow for one project runs all of them. */
function stepLines(options: SharedWorkflowOptions): string[] {
  const { patterns, variables } = namedIn(options);
  const lines = (command: "plan" | "apply"): string[] => [
    `${command}, instead of base-url, api-key, working-directory and name:`,
    "    projects: |",
    ...patterns.map((pattern) => `      ${pattern}`),
    "  env:",
    ...variables.map((variable) => `    ${keyLine(variable, command)}`),
    "    PLANCAST_TRUSTED_ORIGINS: ${{ vars.PLANCAST_TRUSTED_ORIGINS }}",
  ];
  return [...lines("plan"), ...lines("apply")];
}

/** A workflow with steps that run several projects. */
interface FoundWorkflow {
  readonly path: string;
  readonly place: Place;
  readonly text: string;
}

async function findShared(repository: string): Promise<FoundWorkflow | undefined> {
  const folder = await placeInProject(repository, FOLDER);
  if ((await statsAt(folder))?.isDirectory() !== true) return undefined;
  for (const name of (await namesIn(folder)).sort()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const place = await placeInProject(repository, join(FOLDER, name));
    if ((await statsAt(place))?.isFile() !== true) continue;
    const text = (await readRegular(place)).toString("utf8");
    if (projectSteps(parseDocument(text)).length > 0) return { path: `${FOLDER}/${name}`, place, text };
  }
  return undefined;
}

/** A step with `projects:`. */
interface ProjectStep {
  readonly command: "plan" | "apply";
  readonly patterns: readonly string[];
  /** Its `env:`, if it has one that is a mapping. */
  readonly env: YAMLMap | undefined;
}

/** The steps of all jobs that plan or apply several projects. */
function projectSteps(document: Document): ProjectStep[] {
  const jobs = document.get("jobs");
  if (!isMap(jobs)) return [];
  return jobs.items.flatMap(({ value: job }: Pair) => {
    const steps = isMap(job) ? job.get("steps") : undefined;
    return isSeq(steps) ? steps.items.flatMap(projectStep) : [];
  });
}

function projectStep(step: unknown): ProjectStep[] {
  if (!isMap(step)) return [];
  const inputs = step.get("with");
  if (!isMap(inputs) || !String(step.get("uses")).includes("/plancast@")) return [];
  const command = inputs.get("command");
  const patterns = inputs.get("projects");
  if (typeof patterns !== "string" || (command !== "plan" && command !== "apply")) return [];
  const env = step.get("env");
  const lines = patterns.split("\n").flatMap((line) => line.trim() || []);
  return [{ command, patterns: lines, env: isMap(env) ? env : undefined }];
}

async function extend(
  { path, place, text }: FoundWorkflow,
  added: SharedWorkflowOptions["added"],
): Promise<SharedWorkflow> {
  const extended = withKey(text, added.variable);
  const isNamed = projectSteps(parseDocument(text)).every(({ patterns }) =>
    choosesFolder(patterns, added.folder),
  );
  if (extended === undefined || !isNamed)
    return {
      kind: "by-hand",
      path,
      lines: [
        ...(isNamed ? [] : [`Below projects, in each step: ${added.folder}`]),
        `Below env, in the step for plan: ${keyLine(added.variable, "plan")}`,
        `Below env, in the step for apply: ${keyLine(added.variable, "apply")}`,
      ],
    };
  if (extended === text) return { kind: "unchanged", path };
  await writeAtomic(place, extended);
  return { kind: "extended", path };
}

/** The text with the key in the environment of each step; undefined if that is not certain. */
function withKey(text: string, variable: string): string | undefined {
  const before = parseDocument(text);
  if (before.errors.length > 0) return undefined;
  const lines: { readonly at: number; readonly line: string }[] = [];
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  for (const { command, env } of projectSteps(before)) {
    const [first] = env?.items ?? [];
    const begin = isScalar(first?.key) ? first.key.range?.[0] : undefined;
    if (env === undefined || env.flow === true || begin === undefined) return undefined;
    if (env.has(variable)) continue;
    const start = text.lastIndexOf("\n", begin) + 1;
    const indent = text.slice(start, begin);
    if (!/^ +$/.test(indent)) return undefined;
    lines.push({ at: start, line: `${indent}${keyLine(variable, command)}${end}` });
  }
  const changed = lines
    .toSorted((one, other) => other.at - one.at)
    .reduce((whole, { at, line }) => whole.slice(0, at) + line + whole.slice(at), text);
  return hasOnlyKey(before, parseDocument(changed), variable) ? changed : undefined;
}

/** Whether the new keys are the only difference. */
function hasOnlyKey(before: Document, after: Document, variable: string): boolean {
  if (after.errors.length > 0) return false;
  for (const { command, env } of projectSteps(before)) env?.set(variable, keyExpression(variable, command));
  return isDeepStrictEqual(before.toJS(), after.toJS());
}
