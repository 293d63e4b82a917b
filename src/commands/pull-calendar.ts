/** Pull's own story: what is scheduled that no row says, written as a calendar, and adopted if that is asked for. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { hasErrors, type Problem } from "../calendar/problem.ts";
import type { TargetFile } from "../convert-calendar.ts";
import { checkCalendars, type CheckedCalendars } from "../check-calendars.ts";
import type { Diff } from "../plan/diff.ts";
import { rowlessPosts } from "../plan/rowless-posts.ts";
import { pullPosts, type Pulled } from "../pull-posts.ts";
import { problemsText } from "../report/problems-text.ts";
import { pulledDocument, pulledText, type PullReport } from "../report/pulled.ts";
import { SELECT_ALL, selectCalendars, settingsFor } from "../select-calendars.ts";
import { WRITE_FORMATS } from "../write/formats.ts";
import { skippedPostProblems, unknownMediaProblems } from "../write/pull-problems.ts";
import { adoptPulled } from "./adopt-pulled.ts";
import type { GlobalFlags } from "./command.ts";
import { openAddresses } from "../open-addresses.ts";
import { hashCacheOf } from "../open-hash-cache.ts";
import { connect } from "./connect.ts";
import type { Console } from "./console.ts";
import { outputFormat } from "./format-wanted.ts";
import { namedFile, type NamedFile } from "./named-file.ts";
import type { PullFlags } from "./pull.ts";
import { readPullState, type PullState } from "./read-account.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { sourceLines } from "./source-lines.ts";
import { refuseExisting, writeNewFile } from "./write-calendar.ts";

type Flags = GlobalFlags & PullFlags;

/** Throws a Failure when the service cannot be read, or the calendar cannot be written. */
export async function pullCalendar(
  project: Project,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const output = await outputOf(project, flags, shell);
  const selection = await selectCalendars(project, SELECT_ALL, shell.cwd);
  const checked = await checkCalendars(project, selection, shell.clock, {
    addresses: openAddresses(project, shell.clock),
    hashes: hashCacheOf(project, shell.clock),
  });
  if (hasErrors(checked.problems)) return refuse(checked, flags, console);
  const opened = await connect({ project, access: "read-only" }, flags, shell, console);
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
    if (isWanted && !(await isApproved(pulled, output, flags, shell, console)))
      return shell.stop.aborted ? 130 : 1;
    const adopted = isWanted ? await write(project, pulled, output, account, flags, shell) : undefined;
    const report: PullReport = {
      out: isWanted ? output.name : undefined,
      rows: pulled.rows.map(({ key, post }) => ({ key, postId: post.id })),
      adopted,
      lockfile: project.config.lockfile,
      leftOut: pulled.leftOut,
      known: knownIn(account.diff),
      rowless: rowless.length - posts.length,
      isCalendar: output.isCalendar,
    };
    if (flags.format === "json") console.json(pulledDocument(report, problems));
    else console.result(pulledText(report, console.style));
    return 0;
  } finally {
    await opened.close();
  }
}

interface Output extends NamedFile {
  readonly target: TargetFile;
  readonly isCalendar: boolean;
}

/** Throws a Failure where the calendar could not be written, or its posts not adopted. */
async function outputOf(project: Project, flags: Flags, { cwd }: Shell): Promise<Output> {
  const format = outputFormat(flags.to, flags.out, "yaml");
  const [extension] = WRITE_FORMATS[format].extensions;
  const named =
    flags.out === undefined
      ? namedFile(project, `calendars/pulled.${extension}`, project.root)
      : namedFile(project, flags.out, cwd);
  await refuseExisting(named.path, named.name);
  const file = named.file ?? `pulled.${extension}`;
  const { settings, isCalendar } = await settingsFor(project, file);
  const output = {
    ...named,
    target: { file, settings, format },
    isCalendar: named.file !== undefined && isCalendar,
  };
  if (flags.adopt && !output.isCalendar) {
    throw new Failure(
      "pull/not-adopted",
      `${named.name} would not be one of the project's calendars, so its posts cannot be adopted: apply would cancel them.`,
      "Name a file that a pattern under `calendars:` in the project file matches, or add one.",
    );
  }
  return output;
}

function refuse(checked: CheckedCalendars, { format }: Flags, console: Console): ExitCode {
  const { problems, calendars } = checked;
  console.alert(`${problemsText(problems, sourceLines(calendars), console.errorStyle)}\n`);
  if (format === "json") console.json(pulledDocument(undefined, problems));
  return 1;
}

function problemsOf({ rows, leftOut }: Pulled, { remote }: PullState): readonly Problem[] {
  // A service that tells the media of one post would tell those of the others.
  const tellsMedia = remote.posts.some(({ mediaIds }) => mediaIds !== undefined);
  return [
    ...skippedPostProblems(leftOut),
    ...unknownMediaProblems(tellsMedia ? [] : rows.map(({ post }) => post.id)),
  ];
}

/** Who can be asked is asked before posts are taken over: from then on removing a row cancels its post. */
async function isApproved(
  { rows }: Pulled,
  { name }: Output,
  { adopt, yes }: Flags,
  shell: Shell,
  console: Console,
): Promise<boolean> {
  if (!adopt || yes || !shell.isInteractive) return true;
  const isYes = await shell.confirm(
    `Write ${rows.length} rows to ${name} and take their posts over? Removing a row then cancels its post. [y/N] `,
  );
  if (!isYes) console.note("Nothing was written.\n");
  return isYes;
}

/** Gives how many posts were adopted, where that is asked for. */
async function write(
  project: Project,
  { contents }: Pulled,
  { path, name, target }: Output,
  { state, remote }: PullState,
  { adopt }: Flags,
  { clock }: Shell,
): Promise<number | undefined> {
  // The rows first: a post that is owned without a row is one to cancel.
  await writeNewFile({ path, name, contents, force: false });
  return adopt ? adoptPulled({ project, file: target.file, state, remote, clock }) : undefined;
}

function knownIn({ kept, changes }: Diff): number {
  return kept.length + changes.filter(({ action }) => action === "adopt" || action === "replace").length;
}
