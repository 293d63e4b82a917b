/** `plancast publish`: publishes what is due, from the schedule in the repository. */

import { readUsableLockfile } from "../../calendars/project.ts";
import { Git } from "../../github/git-branch.ts";
import { DURATION_FORM, durationOf } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { accountNames, openAccounts } from "../../networks/open-accounts.ts";
import { publishedLog } from "../../report/outcomes/progress.ts";
import { publishDocument, publishText } from "../../report/outcomes/publish-text.ts";
import { type DueOptions, type PublishRun, dueNow, publishDue } from "../../repository/publish-due.ts";
import { ScheduleBranch } from "../../repository/schedule-branch.ts";
import { ScheduleMedia } from "../../repository/schedule-media.ts";
import { configuredAddress } from "../../service/connect/configured-address.ts";
import { secretVariable } from "../../settings/accounts.ts";
import { type Project, REPOSITORY } from "../../settings/config.ts";
import { effectMs, networkOptions, withLocalRunLock } from "../project/connect.ts";
import { openProject } from "../project/project.ts";
import {
  type FlagsOf,
  type ProjectRun,
  FORMAT_OPTION,
  defineCommand,
  defineFlags,
  switchOption,
} from "../shell/command.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";

const FLAGS = defineFlags({
  "dry-run": switchOption("Show what is due, and send nothing"),
  late: {
    type: "string",
    default: "2h",
    requiresArg: true,
    describe: "How late a post may still be published",
    valueName: "TIME",
  },
  format: FORMAT_OPTION,
});

type PublishFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["publish", "Publish what is due, and push the results"],
    ["publish --dry-run", "Show what is due now"],
  ],
  run: async (run) => publish(await openProject(run)),
});

async function publish(run: ProjectRun<PublishFlags>): Promise<ExitCode> {
  const { project, flags, console } = run;
  const isDryRun = flags["dry-run"];
  const { ran, exit } = await publishWith(run, { late: flags.late, isDryRun });
  const document = publishDocument(ran.tasks, isDryRun, ran.next);
  if (flags.format === "json") console.json(document);
  else if (ran.failure === undefined || ran.tasks.length > 0)
    console.result(publishText(document, project.config.timezone ?? "UTC", console.style));
  if (ran.failure !== undefined) reportError(ran.failure, console);
  return exit;
}

/** A job must end, and the next one goes on: longest wait for a limit, in ms. */
const PATIENCE_MS = 5 * 60_000;

interface Wanted {
  /** The text of a duration as people write it. */
  readonly late: string;
  readonly isDryRun: boolean;
}

/** Publishes what is due, for `plancast publish` and for the Action. Throws a Failure if it cannot begin. */
export async function publishWith(
  run: ProjectRun,
  { late, isDryRun }: Wanted,
): Promise<{ readonly ran: PublishRun; readonly exit: ExitCode }> {
  const { project, shell, console } = run;
  shell.prepareForLongRun();
  const lateMs = durationOf(late);
  if (lateMs === undefined)
    throw new Failure("usage/arguments", `--late must be ${DURATION_FORM}.`, "For example: --late 30m.");
  refuseOthers(project, shell);
  const due = await dueOptions(project, lateMs, shell);
  if (isDryRun) return withExit(await dueNow(due), shell);
  return withLocalRunLock(run, "publish", async () => {
    const stopRequests = new AbortController();
    const accounts = await openAccounts({
      ...networkOptions(run, project, PATIENCE_MS),
      stop: stopRequests.signal,
    });
    try {
      const { randomBytes, stop } = shell;
      const onNews = publishedLog((text) => console.note(text));
      const ran = await publishDue({ ...due, accounts, randomBytes, stop, stopRequests, onNews });
      return withExit(ran, shell);
    } finally {
      await Promise.all(accounts.map(({ network }) => network.close()));
    }
  });
}

function withExit(ran: PublishRun, { stop }: Shell): { readonly ran: PublishRun; readonly exit: ExitCode } {
  const states = new Set(ran.tasks.map(({ status }) => status));
  const hasFailed = ran.failure !== undefined || states.has("failed") || states.has("scheduled");
  return { ran, exit: stop.aborted ? 130 : hasFailed ? 1 : states.has("unknown") ? 3 : 0 };
}

function refuseOthers(project: Project, { env }: Shell): void {
  const { config, file } = project;
  if (configuredAddress(project, env) !== REPOSITORY)
    throw new Failure(
      "repository/not-used",
      `${file} does not keep its schedule in the repository.`,
      "Set `service: { url: repository }`. With `embedded`, `plancast serve` publishes. Any other service publishes on its own.",
    );
  if (Object.keys(config.accounts).length === 0)
    throw new Failure(
      "repository/no-accounts",
      `${file} has no accounts, so there is nowhere to publish.`,
      "`plancast accounts add` adds one.",
    );
}

async function dueOptions(project: Project, lateMs: number, shell: Shell): Promise<DueOptions> {
  const { root, config } = project;
  // Only a path: publish checks the file's hash.
  const media = (await readUsableLockfile(project))?.media ?? {};
  return {
    branch: await openBranch(project, shell),
    accounts: accountNames(config.accounts),
    media: new ScheduleMedia(root, (sha256) => media[sha256]?.path),
    clock: shell.clock,
    lateMs,
    settleMs: effectMs(project),
  };
}

/** The branch that is checked out. git gets no secret of an account. */
async function openBranch({ root, config }: Project, { env, clock, random }: Shell): Promise<ScheduleBranch> {
  const secrets = new Set(Object.values(config.accounts).map(secretVariable));
  const others = Object.entries(env).filter(([name]) => !secrets.has(name));
  const git = new Git(root, Object.fromEntries(others), undefined, "disk/git-unreadable");
  if ((await git.try(["remote", "get-url", "origin"])).code !== 0)
    throw new Failure(
      "disk/git-unreadable",
      "The project is not in a git repository with a remote called origin, so there is no shared schedule. Nothing was published.",
      "Add it with `git remote add origin ADDRESS`, and push the branch.",
    );
  const named = await git.try(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const branch = named.code === 0 ? named.stdout.trim() : branchOfJob(env);
  if (branch === "")
    throw new Failure(
      "repository/no-branch",
      "The checkout is not on a branch, so there is nowhere to push the results. Nothing was published.",
      "Check out the branch of the schedule.",
    );
  return ScheduleBranch.open({ git, branch, clock, random });
}

/** A job may check out a single commit. */
function branchOfJob(env: Shell["env"]): string {
  return /^refs\/heads\/(.+)$/.exec(env["GITHUB_REF"] ?? "")?.[1] ?? "";
}
