/**
 * `plancast pull`: writes the scheduled posts that no row covers as a new calendar. With --adopt, it also records them
 * in the lockfile.
 */

import { type CheckedCalendars, checkCalendars } from "../calendars/check.ts";
import type { TargetFile } from "../calendars/convert.ts";
import { SELECT_ALL, selectCalendars, settingsFor } from "../calendars/select.ts";
import { FORMATS } from "../calendars/all-formats.ts";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import { type Problem, hasErrors } from "../model/problem.ts";
import type { PullDocument } from "../report/documents/calendars.ts";
import { pulledText } from "../report/outcomes/calendar-files.ts";
import { problemDocument } from "../report/problems/problems-json.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import type { ReadService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { type Remote, RemoteReader } from "../sync/remote.ts";
import { diff } from "../sync/plan/diff.ts";
import type { Diff } from "../sync/plan/input.ts";
import { nextLockfile } from "../sync/plan/next-lockfile.ts";
import type { Conclusion } from "../sync/plan/reconcile.ts";
import {
  type Pulled,
  pullPosts,
  rowlessPosts,
  skippedPostProblems,
  unknownMediaProblems,
} from "../sync/pull.ts";
import { diffInput } from "../sync/sync.ts";
import { projectAccounts, refuseOtherAccounts, withSeen } from "../sync/state/accounts.ts";
import { type ReadState, readState } from "../sync/state/project-state.ts";
import {
  type FlagsOf,
  type GlobalFlags,
  type ProjectRun,
  type Run,
  HELP_GROUPS,
  YES_OPTION,
  defineCommand,
  defineFlags,
  outOption,
  switchOption,
  FORMAT_OPTION,
} from "./shell/command.ts";
import { connect, withLocalRunLock } from "./project/connect.ts";
import { knownMedia } from "./project/media.ts";
import { outputFormat, refuseExisting, writeNewFile } from "./project/written-files.ts";
import { refuseCalendars } from "./shell/report-problems.ts";
import { showResult } from "./shell/result.ts";
import { type NamedFile, namedFile, openProject } from "./project/project.ts";
import { saveLockfile } from "./project/service-records.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

type Flags = GlobalFlags & PullFlags;

const FLAGS = defineFlags({
  out: outOption("Calendar to write (default: calendars/pulled.yaml)"),
  to: {
    choices: ["csv", "yaml", "xlsx"],
    requiresArg: true,
    describe: "Format to write (default: from the file name of --out)",
    valueName: "FORMAT",
    group: HELP_GROUPS.output,
  },
  all: switchOption("Include posts that the project owns but no row describes"),
  adopt: switchOption("Also record the posts in the lockfile: the project then owns them"),
  yes: { ...YES_OPTION, describe: "Do not ask for confirmation of --adopt" },
  format: FORMAT_OPTION,
});

type PullFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["pull --adopt", "Import all scheduled posts, and let the project own them"],
    ["pull --out calendars/autumn.csv", "Write only the calendar"],
  ],
  run: pull,
});

async function pull(run: Run<PullFlags>): Promise<ExitCode> {
  const opened = await openProject(run);
  if (!run.flags.adopt) return pullCalendar(opened);
  return withLocalRunLock(opened, "pull --adopt", () => pullCalendar(opened));
}

/** Throws a Failure if the service cannot be read, or the calendar cannot be written. */
async function pullCalendar(run: ProjectRun<PullFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const output = await outputOf(project, flags, shell);
  const selection = await selectCalendars(project, SELECT_ALL, shell.cwd);
  const checked = await checkCalendars(project, selection, shell.clock, knownMedia(project, shell.clock));
  if (hasErrors(checked.problems)) return refuseCalendars(checked.problems, checked.calendars, run);
  const opened = await connect(run, "read-only");
  try {
    const account = await readPullState(project, checked, opened.service, shell.clock, flags.adopt);
    const rowless = rowlessPosts(account.diff);
    const posts = flags.all ? rowless : rowless.filter(({ ownedAs }) => ownedAs === undefined);
    const pulled = await pullPosts(
      { project, calendars: checked.calendars, target: output.target, clock: shell.clock },
      posts,
    );
    const problems = problemsOf(pulled, account);
    if (problems.length > 0) console.note(`${problemsText(problems, () => undefined, console.errorStyle)}\n`);
    const isWanted = pulled.rows.length > 0;
    if (isWanted) await refuseOtherAccounts(opened.service, account.state.lockfile);
    if (isWanted && !(await isApproved(run, pulled, output))) return shell.stop.aborted ? 130 : 1;
    const adopted = isWanted ? await write(run, pulled, output, account, opened.service) : undefined;
    const document: PullDocument = {
      version: 1,
      out: isWanted ? output.name : undefined,
      summary: {
        rows: pulled.rows.length,
        adopted: adopted ?? 0,
        left_out: pulled.skipped.length,
        known: knownIn(account.diff),
        rowless: rowless.length - posts.length,
      },
      rows: pulled.rows.map(({ key, post }) => ({ key, post_id: post.id })),
      left_out: pulled.skipped.map(({ postId, reason }) => ({ post_id: postId, reason })),
      problems: problems.map(problemDocument),
    };
    const context = {
      adopts: flags.adopt,
      lockfile: project.config.lockfile,
      isCalendar: output.isCalendar,
    };
    showResult(run, { document, text: () => pulledText(document, context, console.style) });
    return 0;
  } finally {
    await opened.close();
  }
}

interface Output extends NamedFile {
  readonly target: TargetFile;
  readonly isCalendar: boolean;
}

/** Throws a Failure if the calendar could not be written, or its posts not adopted. */
async function outputOf(project: Project, flags: Flags, { cwd }: Shell): Promise<Output> {
  const format = outputFormat(flags.to, flags.out, "yaml");
  if (FORMATS[format].isOnePost) {
    throw new Failure(
      "usage/arguments",
      "plancast pull writes all posts into one file, and a Markdown file holds one post.",
      "Pull into a YAML file, and then make a file of each post: plancast convert FILE --to md --out FOLDER.",
    );
  }
  const [extension] = FORMATS[format].extensions;
  const named =
    flags.out === undefined
      ? namedFile(project, `calendars/pulled.${extension}`, project.root)
      : namedFile(project, flags.out, cwd);
  await refuseExisting(named, project);
  const file = named.file ?? `pulled.${extension}`;
  const { settings, isCalendar } = settingsFor(project, file);
  const output = {
    ...named,
    target: { file, settings, format },
    isCalendar: named.file !== undefined && isCalendar,
  };
  if (flags.adopt && !output.isCalendar) {
    throw new Failure(
      "calendar/not-in-project",
      `plancast cannot adopt these posts, because ${named.name} would not be one of the project's calendars. Apply would cancel them.`,
      "Name a file that a pattern under `calendars:` in plancast.yaml matches, or add one.",
    );
  }
  return output;
}

function problemsOf({ rows, skipped }: Pulled, { remote }: PullState): readonly Problem[] {
  // If a service returns the media of one post, it returns the media of all posts.
  const tellsMedia = remote.posts.some(({ mediaIds }) => mediaIds !== undefined);
  return [
    ...skippedPostProblems(skipped),
    ...unknownMediaProblems(tellsMedia ? [] : rows.map(({ post }) => post.id)),
  ];
}

/** Asks before adopting posts, because removing a row then cancels its post. */
async function isApproved(
  { flags, shell, console }: Run<PullFlags>,
  { rows }: Pulled,
  { name }: Output,
): Promise<boolean> {
  if (!flags.adopt || flags.yes || !shell.isInteractive) return true;
  const isYes = await shell.confirm(
    `Write ${rows.length} rows to ${name} and adopt their posts? If you remove a row later, apply cancels its post. [y/N] `,
  );
  if (!isYes) console.note("Nothing was written.\n");
  return isYes;
}

/** Returns the number of adopted posts, if adopting was requested. */
async function write(
  { project, flags, shell: { clock } }: ProjectRun<PullFlags>,
  { contents }: Pulled,
  { path, name, target }: Output,
  { state, remote }: PullState,
  service: ReadService,
): Promise<number | undefined> {
  // The rows first, because an owned post without a row would be cancelled.
  await writeNewFile({ project, path, name, contents, force: false });
  return flags.adopt ? adoptPulled({ project, file: target.file, state, remote, service, clock }) : undefined;
}

function knownIn({ kept, changes }: Diff): number {
  return kept.length + changes.filter(({ action }) => action === "adopt" || action === "replace").length;
}

/** The scheduled posts of the service, and what the project knows about them. */
interface PullState {
  readonly state: ReadState;
  readonly remote: Remote;
  readonly diff: Diff;
}

/**
 * Throws a Failure if the list cannot be proved whole. `adopts`: posts will be adopted, so a second list must agree.
 */
async function readPullState(
  project: Project,
  checked: CheckedCalendars,
  service: ReadService,
  clock: Clock,
  adopts: boolean,
): Promise<PullState> {
  const state = await readState(project, service.origin);
  const { lockfile } = state;
  const reader = new RemoteReader({ service, lockfile, clock, takesIncomparable: true });
  for (;;) {
    const remote = await reader.read();
    const compared = diff(diffInput(project, checked, state, remote, clock.now()));
    const adopted = adopts ? compared.unmanaged : [];
    if (
      await reader.isProved(
        remote,
        adopted.map(({ id }): Conclusion => ({ what: "adopt", of: id })),
      )
    )
      return { state, remote, diff: compared };
  }
}

interface Adoption {
  readonly project: Project;
  /** The written calendar, relative to the project root, with `/`. */
  readonly file: string;
  /** The source of the rows. The caller took the run lock before it read this. */
  readonly state: ReadState;
  readonly remote: Remote;
  readonly service: ReadService;
  readonly clock: Clock;
}

/** Adopts the posts of the new rows in the lockfile; sends nothing. Returns their number. */
async function adoptPulled({ project, file, state, remote, service, clock }: Adoption): Promise<number> {
  const selection = await selectCalendars(project, SELECT_ALL, project.root);
  const checked = await checkCalendars(project, selection, clock, knownMedia(project, clock));
  if (hasErrors(checked.problems)) throw changedMeanwhile(file);
  const all = diffInput(project, checked, state, remote, clock.now());
  const input = { ...all, inScope: (name: string) => name === file };
  const made = diff(input);
  const changes = made.changes.filter(({ action }) => action === "adopt");
  if (changes.length > 0) {
    const accounts = await projectAccounts(service, state.lockfile);
    const lockfile = withSeen(nextLockfile(input, { ...made, changes }), { accounts, page: undefined });
    await saveLockfile(project, lockfile, { read: state, service, clock });
  }
  return changes.length;
}

function changedMeanwhile(file: string): Failure {
  return new Failure(
    "write/file-changed",
    `${file} was written, but its posts were not adopted, because somebody changed a calendar and it now has errors.`,
    "Fix the problems that plancast validate shows. Then plancast apply adopts the posts.",
  );
}
