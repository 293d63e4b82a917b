/** `posts cancel`: shows the post, asks, cancels it, and has the lockfile say so. */
import { cancelPost } from "../apply/cancel-post.ts";
import { utcTime } from "../calendar/canonical.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { ownersIn, type PostOwner } from "../calendar/post-owner.ts";
import type { OpenedService } from "../open-service.ts";
import { ownerText } from "../report/account-lists.ts";
import { postSummary } from "../report/one-post.ts";
import { advice } from "../report/paragraph.ts";
import { terminalText } from "../report/escape-terminal.ts";
import { writeOutcomeDocument, writeOutcomeText, type Wording } from "../report/write-outcome.ts";
import { matchesStatus, isStillScheduled } from "../service/post-state.ts";
import type { PostRecord } from "../service/records.ts";
import type { CancelResult } from "../service/service.ts";
import { OpenState, readState } from "../state/project-state.ts";
import { confirmChange } from "./ask-first.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { withRunLock } from "./locked.ts";
import type { PostsFlags } from "./posts.ts";
import { noSuchPost } from "./read-posts.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { writeExitCode } from "./written-exit.ts";

type CancelFlags = GlobalFlags & PostsFlags;

export function cancelNamedPost(
  project: Project,
  id: string,
  flags: CancelFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return withRunLock(
    project,
    { command: "posts cancel", access: "read-write" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const { lockfile, journal } = await readState(project, service.origin);
      const post = await service.readPost(id);
      if (post === undefined) throw noSuchPost(id);
      const owner = ownersIn(lockfile).get(post.id);
      if (post.status !== undefined && matchesStatus(post.status, "cancelled"))
        return report(post.id, { result: "done", value: "already-gone" }, owner, flags, console);
      checkScheduled(post);
      if (owner !== undefined)
        console.alert(terminalText(advice(recreateWarning(owner), console.errorStyle)));
      const zone = project.config.timezone ?? "UTC";
      const words = postSummary({ ...post, owner }, zone, console.errorStyle);
      if (!(await confirmChange(`Cancel ${words}?`, flags, shell, console)))
        return shell.stop.aborted ? 130 : 1;
      const state = await OpenState.open(project, lockfile, journal, utcTime(shell.clock.now()));
      const gone = await cancelAndClose(owner?.key ?? "", post.id, service, state, shell);
      return report(post.id, gone, owner, flags, console);
    },
  );
}

function checkScheduled(post: PostRecord): void {
  if (isStillScheduled({ status: post.status })) return;
  throw new Failure(
    "apply/already-published",
    `${post.id} cannot be cancelled: the service says that it is ${JSON.stringify(post.status)}.`,
    "Only posts that are scheduled can be cancelled.",
  );
}

async function cancelAndClose(
  key: string,
  id: string,
  service: OpenedService["service"],
  state: OpenState,
  { clock }: Shell,
): Promise<CancelResult> {
  try {
    return await cancelPost(key, id, { service, state, clock });
  } finally {
    await state.close();
  }
}

function recreateWarning(owner: PostOwner): string {
  if (owner.isRetiring)
    return `It is the older post of a row in ${ownerText(owner)}, whose replacement is scheduled; the next apply would cancel it anyway.`;
  return `It is the post of a row of this project (${ownerText(owner)}): the next apply makes it again, unless the row goes or its status becomes skip.`;
}

function report(
  id: string,
  gone: CancelResult,
  owner: PostOwner | undefined,
  { format }: CancelFlags,
  console: Console,
): ExitCode {
  const wasPublished = gone.result === "done" && gone.value === "published";
  if (format === "json") {
    const row = owner === undefined ? undefined : { key: owner.key, file: owner.file };
    const what = gone.result === "done" ? gone.value : undefined;
    const status = wasPublished ? { status: "failed" } : writeOutcomeDocument(gone);
    console.json({ version: 1, outcome: { post_id: id, ...status, post: what, row } });
  } else {
    console.result(writeOutcomeText(gone, wordingOf(id, gone), console.style));
    if (gone.result === "done") console.next("plancast posts list shows what is still scheduled.");
  }
  return wasPublished ? 1 : writeExitCode(gone);
}

function wordingOf(id: string, gone: CancelResult): Wording {
  const done = {
    cancelled: `Cancelled ${id}.`,
    "already-gone": `${id} was cancelled before: nothing to do.`,
    published: `${id} was published before it could be cancelled.`,
  };
  return {
    done: gone.result === "done" ? done[gone.value] : "",
    refused: `${id} was not cancelled`,
    unknown: `${id} may or may not be cancelled`,
    whenUnknown: `Look with plancast posts show ${id}, or run this again.`,
  };
}
