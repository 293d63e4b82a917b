import { relative, resolve } from "node:path";
import type { SelectionOptions } from "../../calendars/select.ts";
import type { Plan } from "../../model/plan.ts";
import {
  type PlanFormat,
  PLAN_FORMAT_NAMES,
  formatPlan,
  isPlanFormat,
} from "../../report/plan/plan-formats.ts";
import type { PlanView } from "../../report/plan/plan-view.ts";
import {
  type ProblemFormat,
  PROBLEM_FORMATS,
  isProblemFormat,
} from "../../report/problems/problem-formats.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import { type GlobalFlags, calendarsPositional, command, formatOption } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type OnlyFlag, type RefreshFlag, ONLY_OPTION, REFRESH_OPTION, parseOnly } from "../shared/flags.ts";
import type { Planning } from "../shared/planning.ts";
import { printFailedProblemFormat, printProblemFormat } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

export interface PlanFlags extends OnlyFlag, RefreshFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly format: PlanFormat | ProblemFormat;
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
      .option("format", { ...formatOption(), choices: [...PLAN_FORMAT_NAMES, ...PROBLEM_FORMATS] })
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
    if (isProblemFormat(format)) await printFailedProblemFormat(format, problems, console);
    if (!isPlanFormat(format)) return;
    const { style } = console;
    console.result(
      await formatPlan(format, { planned: undefined, problems, drafts: 0, verbose: false, style }),
    );
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
  } else await printPlan(planning, flags.format, flags, console);
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
  format: PlanFormat,
  { verbose }: Pick<GlobalFlags, "verbose">,
  console: Console,
): Promise<void> {
  const { plan, problems, checked } = planning;
  const planned = plan === undefined ? undefined : { plan, view: () => viewOf(planning, plan, { verbose }) };
  const { drafts } = checked;
  console.result(await formatPlan(format, { planned, problems, drafts, verbose, style: console.style }));
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
