import { relative, resolve } from "node:path";
import type { SelectionOptions } from "../../calendars/select.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { PlanView } from "../../report/plan/plan-view.ts";
import {
  type ProblemFormat,
  PROBLEM_FORMATS,
  isProblemFormat,
} from "../../report/problems/problem-formats.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import { command } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import {
  type GlobalFlags,
  type OnlyFlag,
  type RefreshFlag,
  ONLY_OPTION,
  REFRESH_OPTION,
  calendarsPositional,
  formatOption,
  parseOnly,
} from "../shared/flags.ts";
import type { Planning } from "../shared/planning.ts";
import { printFailedProblemFormat, printProblemFormat } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

export interface PlanFlags extends OnlyFlag, RefreshFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly format: "text" | "json" | "markdown" | ProblemFormat;
  readonly "detailed-exitcode": boolean;
  readonly watch: boolean;
}

export const planCommand = command<PlanFlags>({
  command: "plan [calendar..]",
  describe: "Show what apply would do; changes nothing",
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("plan"))
      .option("only", ONLY_OPTION)
      .option("refresh-media", REFRESH_OPTION)
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "Save the plan to a file, for apply --plan",
      })
      .option("format", formatOption("json", "markdown", ...PROBLEM_FORMATS))
      .option("detailed-exitcode", {
        type: "boolean",
        default: false,
        describe: "Exit with 2 when there are changes",
      })
      .option("watch", {
        type: "boolean",
        default: false,
        describe: "Plan again whenever a file of the project is saved, until Ctrl-C",
      })
      .example("$0 plan", "Shows all changes, day by day")
      .example("$0 plan --out plan.json", "Saves the plan that is reviewed")
      .example("$0 plan calendars/march.csv", "Plans one calendar; the posts of others are left alone")
      .example("$0 plan --watch", "Shows at each save what it changes"),
  run: plan,
  printFailed: async (problems, format, console) => {
    if (format === "markdown") await printStopped(problems, console);
    if (isProblemFormat(format)) await printFailedProblemFormat(format, problems, console);
    if (format !== "json") return;
    const { planDocument } = await import("../../report/plan/plan-json.ts");
    console.json(planDocument(undefined, problems, { verbose: false }));
  },
});

async function plan(flags: GlobalFlags & PlanFlags, shell: Shell, console: Console): Promise<ExitCode> {
  if (flags.watch) {
    const { watchPlan } = await import("./watch.ts");
    return watchPlan(flags, shell, console);
  }
  const planning = await readPlan(flags, shell, console);
  const { showProblems } = await import("../shared/planning.ts");
  showProblems(planning, console);
  if (planning.plan !== undefined && flags.out !== undefined)
    await savePlan(planning, flags.out, flags, shell);
  if (isProblemFormat(flags.format)) {
    const { problems, checked } = planning;
    await printProblemFormat(flags.format, { ...checked, problems }, planning.project, shell, console);
  } else await printPlan(planning, flags, console);
  if (planning.plan === undefined) return 1;
  if (flags.format === "text") console.next(afterPlan(planning.plan, flags.out));
  return flags["detailed-exitcode"] && planning.plan.changes.length > 0 ? 2 : 0;
}

/** Reads the calendars and asks the service; nothing is written, and the service is closed again. */
export async function readPlan(
  flags: GlobalFlags & Pick<PlanFlags, "calendar" | "only" | "refresh-media">,
  shell: Shell,
  console: Console,
): Promise<Planning> {
  const { connect } = await import("../shared/connect.ts");
  const { readPlanning } = await import("../shared/planning.ts");
  const { loadProject } = await import("../shared/project.ts");
  const { withAddresses } = await import("../shared/media-addresses.ts");
  const { hashCacheOf } = await import("../../sync/state/media-caches.ts");
  const project = await loadProject(flags, shell);
  const open = (): Promise<OpenedService> => connect({ project, access: "read-only" }, flags, shell, console);
  const planning = await withAddresses(
    project,
    // What it reads is not kept: a plan writes nothing that was not asked for.
    { refresh: flags["refresh-media"], keeps: false },
    { flags, shell, console },
    (addresses) =>
      readPlanning(project, narrowingOf(flags), shell, open, {
        media: { addresses, hashes: hashCacheOf(project, shell.clock) },
      }),
  );
  await planning.opened?.close();
  return planning;
}

function afterPlan({ changes, guards }: Plan, out: string | undefined): string | undefined {
  // Where apply would refuse, the plan itself says the way on.
  if (changes.length === 0 || guards.length > 0) return undefined;
  return out === undefined ? "plancast apply" : `plancast apply --plan ${out}`;
}

/** What the flags say the plan is about. */
export function narrowingOf({ calendar, only }: Pick<PlanFlags, "calendar" | "only">): SelectionOptions {
  return { calendars: calendar, only: parseOnly(only) };
}

/** Shows a plan, or the problems that stopped it, in the format asked for. */
export async function printPlan(
  planning: Planning,
  flags: GlobalFlags & PlanFlags,
  console: Console,
): Promise<void> {
  const { plan, problems, checked } = planning;
  if (flags.format === "json") {
    const { planDocument } = await import("../../report/plan/plan-json.ts");
    console.json(planDocument(plan, problems, { verbose: flags.verbose, counts: { draft: checked.drafts } }));
    return;
  }
  if (plan === undefined) {
    if (flags.format === "markdown") await printStopped(problems, console);
    return;
  }
  const view = await viewOf(planning, plan, flags);
  if (flags.format === "markdown") {
    const { planMarkdown } = await import("../../report/plan/plan-markdown.ts");
    console.result(planMarkdown(view, { maxLength: MAX_COMMENT }));
    return;
  }
  const { planText } = await import("../../report/plan/plan-text.ts");
  console.result(planText(view, console.style, { verbose: flags.verbose }));
}

/** A plan as people see it, with what it costs. */
export async function viewOf(
  { project, opened }: Planning,
  plan: Plan,
  { verbose }: Pick<GlobalFlags, "verbose">,
): Promise<PlanView> {
  const { planView } = await import("../../report/plan/plan-view.ts");
  const { waitMsFor: turnMs } = await import("../../model/clock.ts");
  const timezone = project.config.timezone ?? "UTC";
  // Apply asks what this plan has asked, and then does what it says.
  const reads = opened?.requests() ?? 0;
  const expectedMs = opened === undefined ? 0 : turnMs(opened.pace(), plan.requests + reads);
  return planView(plan, { timezone, kept: verbose, reads, expectedMs });
}

async function printStopped(problems: readonly Problem[], console: Console): Promise<void> {
  const { problemsMarkdown } = await import("../../report/problems/github.ts");
  console.result(problemsMarkdown(problems, { maxLength: MAX_COMMENT }));
}

/** A GitHub comment holds 65,536 characters; the rest is left for a title or a marker around the plan. */
const MAX_COMMENT = 60_000;

/** Writes a plan file, as --plan takes it. */
export async function savePlan(
  { plan, problems, project }: Planning,
  out: string,
  { calendar, only, ...flags }: Pick<PlanFlags, "calendar" | "only" | "refresh-media">,
  shell: Shell,
): Promise<void> {
  const { planDocument } = await import("../../report/plan/plan-json.ts");
  const { printJson } = await import("../../report/text/escape.ts");
  const { savedPlan } = await import("../../sync/apply/saved-plan.ts");
  const { writeGenerated: writeOutput } = await import("../shared/output-file.ts");
  const document = planDocument(plan, problems, { verbose: false });
  const calendars = calendar.map((name) => relative(project.root, resolve(shell.cwd, name)));
  const narrowing = { calendars, only, ...(flags["refresh-media"] ? { refresh_media: true } : {}) };
  await writeOutput(out, printJson(savedPlan(document, narrowing)), "plan", shell);
}
