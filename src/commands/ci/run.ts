/**
 * Runs a step of the GitHub Action for one project or several, and reports it everywhere GitHub shows something.
 * Several run one after the other, each with its own key and lockfile; their results become one comment, one summary
 * and one artifact.
 */

import { posix, relative, sep } from "node:path";
import { checkCalendars, countFiles } from "../../calendars/check.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { makeFolder } from "../../disk/files.ts";
import { placeTyped } from "../../disk/place.ts";
import { fileLinks } from "../../github/pull-request-files.ts";
import { ReviewedPlans, projectStem } from "../../github/reviewed-plans.ts";
import { type Job, readJob } from "../../github/runner.ts";
import { hasErrors } from "../../model/problem.ts";
import { DEFAULT_KEY_VARIABLE } from "../../problems/connection-texts.ts";
import { SERVICE_PUBLISHES, publishDocument, publishMarkdown } from "../../report/outcomes/publish-text.ts";
import { type Annotation, problemsMarkdown } from "../../report/problems/github.ts";
import { countsText, problemsText } from "../../report/problems/problems-text.ts";
import {
  type ProjectChoice,
  type ProjectSection,
  projectsMarkdown,
  worstResult,
} from "../../report/several-projects.ts";
import { plural } from "../../report/text/numbers.ts";
import { configuredAddress } from "../../service/connect/configured-address.ts";
import { SharedLists } from "../../service/connect/reused-answers.ts";
import { REPOSITORY } from "../../settings/config.ts";
import { refuseEmbedded } from "../project/connect.ts";
import { loadProject, projectFolder } from "../project/project.ts";
import { publishWith } from "../publish/command.ts";
import type { Console } from "../shell/console.ts";
import type { GlobalFlags } from "../shell/command.ts";
import { reportError, sourceLines } from "../shell/report-problems.ts";
import { refuseOneAddress, runInTurn, worst } from "../shell/several-projects.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { applyStep, otherPlan } from "./apply.ts";
import { fetchForReview } from "./fetch.ts";
import { holdStep } from "./hold.ts";
import { sheetResults } from "./sheet-results.ts";
import {
  type ChosenProjects,
  type Inputs,
  checkMayChange,
  chooseProjects,
  keyInput,
  readInputs,
  withServiceInputs,
} from "./inputs.ts";
import { noticesWithoutPlan, planArtifact, planStep, writePreview, writePreviews } from "./plan.ts";
import {
  type CiResult,
  type CiStep,
  fileForLaterSteps,
  openApi,
  problemCounts,
  refusedResult,
  reportResult,
  reportToRunner,
  resultName,
  stoppedResult,
} from "./report.ts";
import { watchStep } from "./watch.ts";

export async function ciRun(given: GlobalFlags, outer: Shell, console: Console): Promise<ExitCode> {
  let inputs: Inputs;
  let job: Job;
  try {
    inputs = readInputs(outer.env);
    job = await readJob(outer.env);
  } catch (error) {
    const result = stoppedResult(reportError(error, console), false);
    await reportToRunner(result, { folder: "", shell: outer, console });
    return result.exit;
  }
  const shell: Shell = { ...outer, env: withServiceInputs(outer.env), isInteractive: false };
  const flags = { ...given, config: given.config ?? (inputs.config || undefined) };
  const around = { job, inputs, shell, console };
  let opened: ReturnType<typeof openApi> | undefined;
  const reviewed = new ReviewedPlans(() => (opened ??= openApi(around)).api, job, inputs.name);
  try {
    const run = { ...around, flags, reviewed };
    if (inputs.command === "fetch") {
      const fetched = await fetchForReview(run, (asPull) =>
        runJob({ ...run, job: asPull, inputs: { ...inputs, command: "plan" } }),
      );
      await reportResult(fetched.result, { ...around, job: fetched.job ?? job, folder: "" });
      return fetched.result.exit;
    }
    const { result, folder } = await runJob(run);
    await reportResult(result, { ...around, folder });
    return result.exit;
  } finally {
    await opened?.close();
  }
}

function runJob(run: JobRun): Promise<PlacedResult> {
  return run.inputs.projects.length === 0
    ? runProject({ ...run, part: undefined, givenKey: keyInput(run.shell.env) })
    : runProjects(run);
}

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
  choice: ProjectChoice,
): CiResult {
  const results = new Map(ran.map((each) => [each.project, each.result]));
  const sections = turns.map(({ project }): ProjectSection => {
    const result = results.get(project);
    const count = (name: string): number => Number(result?.outputs[name] ?? 0);
    return {
      project,
      result: result?.outputs["result"],
      changes: count("changes"),
      errors: count("errors"),
      warnings: count("warnings"),
      markdown: result?.markdown ?? "",
    };
  });
  return {
    exit: worst(turns),
    annotations: ran.flatMap(annotationsOf),
    markdown: projectsMarkdown(sections, choice),
    outputs: joinedOutputs(turns, results),
    isNews: ran.some(({ result }) => result.isNews) || choice.removed.length > 0,
    isHarmless: ran.every(({ result }) => result.isHarmless === true) && choice.removed.length === 0,
  };
}

/** With places from the root of the checkout. A problem without a place names its project. */
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

/** A result, and the folder that its files are in: relative to the checkout, empty if they are the same. */
export interface PlacedResult {
  readonly result: CiResult;
  readonly folder: string;
}

/** What a step needs before its project is read. */
export type UnreadStep = Omit<CiStep, "project" | "folder">;

/** Never throws: what ends the run is its result. @param check throws a Failure if the project must not run */
export async function runProject(given: UnreadStep, check = (): void => undefined): Promise<PlacedResult> {
  const { job, flags, shell, console } = given;
  const fromCheckout = (root: string): string => relative(job.workspace, root).split(sep).join("/");
  let folder = "";
  try {
    // A broken plancast.yaml has its problems in this folder, too.
    folder = fromCheckout(await projectFolder(flags, shell));
    const project = await loadProject(flags, shell);
    folder = fromCheckout(project.root);
    check();
    return { result: await stepOf({ ...given, folder, project }), folder };
  } catch (error) {
    const { aborted } = shell.stop;
    return { result: stoppedResult(aborted ? [] : reportError(error, console), aborted), folder };
  }
}

async function stepOf(step: CiStep): Promise<CiResult> {
  const { job, inputs, project, shell } = step;
  if (inputs.command === "validate") return validateStep(step, "");
  if (inputs.command === "plan") {
    const why = withoutSecrets(job, step);
    if (why !== undefined) return validateStep(step, why);
  } else checkMayChange(job);
  if (inputs.command === "publish")
    return isLeftOut(step) ? LEFT_OUT : withSheetResults(step, await publishStep(step));
  refuseEmbedded(project, shell.env, step.part !== undefined);
  if (inputs.command === "watch") return watchStep(step);
  if (inputs.command === "hold") return holdStep(step);
  return inputs.command === "plan" ? planStep(step) : withSheetResults(step, await applyStep(step));
}

/** Also writes what became of posts into sheets. If that fails, the step is as good as without it. */
async function withSheetResults(step: CiStep, result: CiResult): Promise<CiResult> {
  const problems = await sheetResults(step);
  return problems.length === 0
    ? result
    : {
        ...result,
        annotations: [...result.annotations, ...problems],
        markdown: `${result.markdown}\n${problemsMarkdown(problems, { title: "Results in sheets" })}`,
      };
}

/** Whether a service publishes the posts of this project, so that only other projects of the job need this step. */
function isLeftOut({ part, project, shell }: CiStep): boolean {
  return part !== undefined && configuredAddress(project, shell.env) !== REPOSITORY;
}

const LEFT_OUT: CiResult = {
  exit: 0,
  annotations: [],
  markdown: SERVICE_PUBLISHES,
  outputs: { result: "nothing" },
  isNews: false,
};

/** Why the job cannot use the service; undefined if it can. */
function withoutSecrets(
  { pullRequest, source, actor, event }: Job,
  { givenKey, shell, project }: CiStep,
): string | undefined {
  if (pullRequest?.isFork === true)
    return "This pull request comes from a fork, which gets no secrets. plancast checks it now, and plans it after the merge.";
  if (source === "fork")
    return `A run on \`${event}\` may contain commits from a fork, so it gets no key. plancast checks them now, and plans them after the merge.`;
  const variable = project.config.service.key_env ?? DEFAULT_KEY_VARIABLE;
  if (actor === "dependabot[bot]" && givenKey === undefined && !shell.env[variable])
    return "Dependabot's pull requests get no secrets. plancast checks this one now, and plans it after the merge.";
  return undefined;
}

/** Only the offline checks: no service, no key. `note`: why there is no plan; empty if none was requested. */
async function validateStep(step: CiStep, note: string): Promise<CiResult> {
  const { job, inputs, folder, project, shell, console } = step;
  const selection = await selectCalendars(
    project,
    { calendars: inputs.calendars, only: undefined },
    shell.cwd,
  );
  const checked = await checkCalendars(project, selection, shell.clock);
  const notices = note === "" ? [] : await noticesWithoutPlan(step, checked.posts);
  const { calendars } = checked;
  const problems = [...notices, ...checked.problems];
  const preview =
    inputs.command === "plan" ? await writePreview(step, { checked, plan: undefined, problems }, true) : {};
  console.alert(problemsText(problems, sourceLines(calendars), console.errorStyle));
  const files = plural(countFiles(calendars), "calendar");
  const head = `### Checked ${files}${problems.length === 0 ? " without problems" : ""}: ${countsText(countRows(checked))}\n\n${note === "" ? "" : `${note}\n\n`}`;
  const found = { title: "Problems", links: fileLinks(job, folder, new Set()) };
  return {
    exit: hasErrors(problems) ? 1 : 0,
    annotations: problems,
    markdown: problems.length === 0 ? head : head + problemsMarkdown(problems, found),
    outputs: { result: hasErrors(problems) ? "invalid" : "valid", ...problemCounts(problems), ...preview },
    isNews: problems.length > 0,
  };
}

/** How late a post may still be published. */
const LATE = "2h";

async function publishStep(step: CiStep): Promise<CiResult> {
  const { ran, exit } = await publishWith(step, { late: LATE, isDryRun: false });
  const { tasks, failure } = ran;
  const problems = failure === undefined ? [] : reportError(failure, step.console);
  const done =
    failure !== undefined && tasks.length === 0
      ? ""
      : publishMarkdown(publishDocument(tasks, false), step.project.config.timezone ?? "UTC");
  return {
    exit,
    annotations: problems,
    markdown: [problems.length === 0 ? "" : problemsMarkdown(problems, { title: "Stopped" }), done]
      .filter((part) => part !== "")
      .join("\n"),
    outputs: {
      result: resultName(exit, tasks.length === 0 ? "nothing" : "published"),
      ...problemCounts(problems),
    },
    isNews: tasks.length > 0,
  };
}
