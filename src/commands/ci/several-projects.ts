/**
 * Runs a step of the GitHub Action for several projects, one after the other, each with its own key and lockfile.
 * Combines their results into one comment, one summary and one artifact.
 */

import { posix } from "node:path";
import { projectStem } from "../../github/reviewed-plans.ts";
import { makeFolder } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import {
  type Choice,
  type ProjectSection,
  projectsMarkdown,
  worstResult,
} from "../../report/projects-markdown.ts";
import type { Annotation } from "../../report/problems/github.ts";
import { SharedLists } from "../../service/connect/shared-lists.ts";
import { reportError } from "../shell/report-problems.ts";
import { refuseOneAddress, runInTurn, worst } from "../shell/several-projects.ts";
import { otherPlan } from "./apply.ts";
import { type ChosenProjects, chooseProjects } from "./choose-projects.ts";
import { type PlacedResult, type UnreadStep, runProject } from "./one-project.ts";
import { planArtifact } from "./plan.ts";
import { writePreviews } from "./preview.ts";
import { type CiResult, fileForLaterSteps, refusedResult, stoppedResult } from "./report.ts";

type JobRun = Omit<UnreadStep, "part" | "givenKey" | "lists">;

/** Never throws: what ends the run is its result. Its files are in the root of the checkout. */
export async function runProjects(given: JobRun): Promise<PlacedResult> {
  const { shell, console } = given;
  try {
    refuseOneAddress(shell, "the input projects names");
    const chosen = await chooseProjects(given.inputs, given.job, shell);
    return { result: await runChosen(given, chosen), folder: "" };
  } catch (error) {
    const { aborted } = shell.stop;
    return { result: stoppedResult(aborted ? [] : reportError(error, console), aborted), folder: "" };
  }
}

/** The result of one project. */
interface RanProject extends PlacedResult {
  readonly project: string;
}

async function runChosen(given: JobRun, { files, all, choice }: ChosenProjects): Promise<CiResult> {
  const { flags, shell, inputs, job } = given;
  const plans = await plansFolder(given);
  const ran: RanProject[] = [];
  const turns = await runInTurn(files, all, { flags, shell }, async (turn) => {
    const { project, file, checkShared, ...own } = turn;
    // Each apply changes the list that the next one has to read.
    const lists = inputs.command === "apply" ? new SharedLists(shell.clock) : own.lists;
    const part = { plans, stem: projectStem(project) };
    const step = { ...given, ...own, lists, part, flags: { ...flags, config: file } };
    const placed = await runProject(step, checkShared);
    ran.push({ ...placed, project });
    return placed.result.exit;
  });
  const result = joined(ran, turns, choice);
  const folder = ran.some((each) => each.result.outputs["plan-file"]) ? { "plan-file": plans } : undefined;
  const artifact = folder === undefined ? {} : { ...folder, "plan-artifact": planArtifact(job, inputs.name) };
  const previews = ran.flatMap(({ project, result: { outputs } }) =>
    outputs["preview-file"] === undefined ? [] : [{ project, file: outputs["preview-file"] }],
  );
  const preview = await writePreviews(given, previews);
  return unlessOtherPlan({ ...result, outputs: { ...result.outputs, ...artifact, ...preview } }, ran, given);
}

/** An empty folder, also if an earlier step of the job has the same name. */
async function plansFolder(given: JobRun): Promise<string> {
  const random = Buffer.from(given.shell.randomBytes(8)).toString("hex");
  const folder = await fileForLaterSteps(given, `plans-${random}`);
  await makeFolder((await placeTyped(folder, given.job.workspace)).place);
  return folder;
}

/** Combines the results of all projects that ran. */
function joined(
  ran: readonly RanProject[],
  turns: Awaited<ReturnType<typeof runInTurn>>,
  choice: Choice,
): CiResult {
  const results = new Map(ran.map((each) => [each.project, each.result]));
  const sections = (whole: string): ProjectSection[] =>
    turns.map(({ project }) => {
      const result = results.get(project);
      const count = (name: string): number => Number(result?.outputs[name] ?? 0);
      return {
        project,
        result: result?.outputs["result"],
        changes: count("changes"),
        errors: count("errors"),
        warnings: count("warnings"),
        markdown: (maxLength) => result?.markdown(maxLength, whole) ?? "",
      };
    });
  return {
    exit: worst(turns),
    annotations: ran.flatMap(annotationsOf),
    markdown: (maxLength, whole) => projectsMarkdown(sections(whole), choice, { maxLength, whole }),
    outputs: joinedOutputs(turns, results),
    isNews: ran.some(({ result }) => result.isNews) || choice.removed.length > 0,
  };
}

/** With places from the root of the checkout. What has no place names its project. */
function annotationsOf({ project, folder, result }: RanProject): Annotation[] {
  return result.annotations.map((each) =>
    each.file === undefined
      ? { ...each, message: `${project}: ${each.message}` }
      : { ...each, file: posix.join(folder, each.file) },
  );
}

/** Outputs that are numbers, and so have a sum. */
const NUMBERS = ["errors", "warnings", "changes", "create", "replace", "cancel", "adopt"];

function joinedOutputs(
  turns: Awaited<ReturnType<typeof runInTurn>>,
  results: ReadonlyMap<string, CiResult>,
): CiResult["outputs"] {
  const given = turns.map(({ project, exitCode }) => {
    const { result, hash, ...outputs } = results.get(project)?.outputs ?? {};
    const numbers = NUMBERS.filter((name) => outputs[name] !== undefined).map((name) => [
      name,
      Number(outputs[name]),
    ]);
    return { project, result, "exit-code": exitCode, hash, ...Object.fromEntries(numbers) };
  });
  const sums = NUMBERS.flatMap((name) => {
    const counts = [...results.values()].flatMap(({ outputs }) => outputs[name] ?? []);
    return counts.length === 0 ? [] : [[name, String(counts.reduce((sum, each) => sum + Number(each), 0))]];
  });
  return {
    result: worstResult(given.map(({ result }) => result)) ?? "nothing",
    projects: JSON.stringify(given),
    ...Object.fromEntries(sums),
  };
}

/** Fails if the input names the hash of a plan that no project has. */
function unlessOtherPlan(
  result: CiResult,
  ran: readonly RanProject[],
  { inputs, console }: JobRun,
): CiResult {
  const hashes = new Set(ran.map((each) => each.result.outputs["hash"]));
  const others = inputs.command === "apply" ? (inputs.plan ?? []).filter((hash) => !hashes.has(hash)) : [];
  if (others.length === 0) return result;
  const refused = refusedResult(reportError(otherPlan(others), console), result);
  const worse = worstResult([result.outputs["result"], "refused"]) ?? "refused";
  return {
    ...refused,
    exit: result.exit === 0 ? refused.exit : result.exit,
    outputs: { ...refused.outputs, result: worse },
  };
}
