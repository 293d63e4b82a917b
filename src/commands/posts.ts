/**
 * `plancast posts`: lists the service's posts or shows one, with their rows, or cancels one and records that in the
 * lockfile.
 */

import { utcTime } from "../model/canonical.ts";
import { Failure, ignoreFailure } from "../model/failure.ts";
import { type PostOwner, ownersIn } from "../model/lockfile.ts";
import { cancelWording, writeOutcomeDocument } from "../report/outcomes/write-outcome.ts";
import {
  type ServicePost,
  notCancellableText,
  ownerText,
  postDocument,
  postSummary,
  postText,
  postsText,
} from "../report/status/service-lists.ts";
import { terminalText } from "../report/text/escape.ts";
import { advice } from "../report/text/wrap.ts";
import { isStillScheduled, matchesStatus, publicationOf } from "../service/answers/post.ts";
import type { OpenedService } from "../service/connect/open-service.ts";
import type { Cancelled, PostRecord } from "../service/records.ts";
import type { ReadFullService, CancelResult } from "../service/service.ts";
import { cancelPost } from "../sync/apply/run-change.ts";
import { OpenState, readState } from "../sync/state/project-state.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  YES_OPTION,
  actionPositional,
  confirmChange,
  defineCommand,
  defineFlags,
  namePositional,
  rejectName,
  requireName,
} from "./shell/command.ts";
import { withRunLock } from "./project/connect.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import { openProject } from "./project/project.ts";
import { readLockfileIfPossible, reportWrite, showRead } from "./project/service-records.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["list", "show", "cancel"]),
  id: namePositional("Id of the post to show or cancel"),
  status: {
    type: "string",
    default: "scheduled",
    requiresArg: true,
    describe: "List posts with this status, or all for every post",
  },
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type PostsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["posts list", "List the scheduled posts and their rows"],
    ["posts list --status all", "List posts of every status"],
    ["posts cancel post_81f", "Show the post, ask, then cancel it"],
  ],
  run: posts,
  printFailed: printProblemsJson,
});

async function posts(run: Run<PostsFlags>): Promise<ExitCode> {
  const { flags } = run;
  switch (flags.action) {
    case "list": {
      rejectName(flags.id, "posts list");
      return listPosts(await openProject(run));
    }
    case "show": {
      const id = requireName(flags.id, "posts show", "post");
      return showPost(await openProject(run), id);
    }
    case "cancel": {
      const id = requireName(flags.id, "posts cancel", "post");
      return cancelNamedPost(await openProject(run), id);
    }
  }
}

function listPosts(run: ProjectRun<PostsFlags>): Promise<ExitCode> {
  const { project, flags, console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listPosts(flags.status === "all" ? undefined : flags.status);
    const withOwner = await ownership(run, service.origin);
    const posts = items.map(withOwner).sort(bySchedule);
    return {
      document: () => ({ version: 1, whole: doubt === undefined, posts: posts.map(postDocument) }),
      text: () => postsText({ items: posts, doubt }, project.config.timezone ?? "UTC", console.style),
      next: afterPosts(posts),
    };
  });
}

function showPost(run: ProjectRun<PostsFlags>, id: string): Promise<ExitCode> {
  const { project, console } = run;
  return showRead(run, async (service) => {
    const found = await service.readPost(id);
    if (found === undefined) throw noSuchPost(id);
    const post = (await ownership(run, service.origin))(found);
    return {
      document: () => ({ version: 1, post: postDocument(post), record: found.record }),
      text: () => postText(post, project.config.timezone ?? "UTC", console.style),
      next: "plancast posts list shows the others and their rows.",
    };
  });
}

function afterPosts(posts: readonly ServicePost[]): string | undefined {
  const isForeign = posts.some((post) => post.owner === undefined && isStillScheduled(post.status));
  if (isForeign) return "plancast pull writes scheduled posts without a row into a calendar.";
  return posts.length === 0 ? undefined : "to see a whole post, run plancast posts show ID.";
}

function noSuchPost(id: string): Failure {
  return new Failure(
    "service/not-found",
    `The service has no post "${id}".`,
    "plancast posts list --status all shows all posts.",
  );
}

async function ownership(run: ProjectRun, origin: string): Promise<(post: PostRecord) => ServicePost> {
  const lockfile = await readLockfileIfPossible(run, origin);
  const owners = lockfile === undefined ? undefined : ownersIn(lockfile);
  return (post) => ({ ...post, owner: owners?.get(post.id) });
}

/** Earliest first; posts without a time last. */
function bySchedule(one: ServicePost, other: ServicePost): number {
  const [a, b] = [one, other].map(({ scheduledAt = "~", id }) => `${scheduledAt} ${id}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

/** `posts cancel`: shows the post, asks, cancels it, and records that in the lockfile. */
function cancelNamedPost(run: ProjectRun<PostsFlags>, id: string): Promise<ExitCode> {
  const { project, shell, console } = run;
  return withRunLock(
    run,
    { command: "posts cancel", access: "read-write" },
    async ({ service, checkAccounts }) => {
      const { lockfile, journal } = await readState(project, service.origin);
      const post = await service.readPost(id);
      if (post === undefined) throw noSuchPost(id);
      const owner = ownersIn(lockfile).get(post.id);
      if (post.status !== undefined && matchesStatus(post.status, "cancelled"))
        return report(run, post.id, { result: "done", value: "already-gone" }, owner);
      checkScheduled(post);
      await checkAccounts();
      if (owner !== undefined)
        console.alert(terminalText(advice(recreateWarning(owner), console.errorStyle)));
      const zone = project.config.timezone ?? "UTC";
      const words = postSummary({ ...post, owner }, zone, console.errorStyle);
      if (!(await confirmChange(`Cancel ${words}?`, run))) return shell.stop.aborted ? 130 : 1;
      const state = await OpenState.open(project, lockfile, journal, utcTime(shell.clock.now()));
      const gone = await cancelAndClose(owner?.key ?? "", post.id, service, state, shell);
      if (gone.result === "done" && gone.value !== "cancelled")
        await refuseOver(post.id, gone.value, service);
      return report(run, post.id, gone, owner);
    },
  );
}

function checkScheduled(post: PostRecord): void {
  const publication = publicationOf(post);
  if (isStillScheduled(post.status) && publication.results.length === 0) return;
  throw new Failure(
    "apply/already-published",
    notCancellableText(post, publication),
    "Only posts that are scheduled can be cancelled. Remove a published post on its network.",
  );
}

/**
 * Throws a Failure if the post was due during the cancel: it is not cancelled, but published or failed, perhaps
 * differently on each network.
 */
async function refuseOver(id: string, end: Cancelled, service: ReadFullService): Promise<void> {
  const post = await service.readPost(id).catch(ignoreFailure);
  if (post === undefined || (post.status !== undefined && matchesStatus(post.status, "cancelled"))) return;
  const hasFailed = publicationOf(post).results.some(({ state }) => state !== "published");
  if (end === "already-gone" || hasFailed) checkScheduled(post);
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
    return `It is the older post of a row in ${ownerText(owner)}. Its replacement is scheduled, so the next apply would cancel it anyway.`;
  return `It belongs to a row of this project (${ownerText(owner)}). The next apply creates it again unless you delete the row or set its status to skip.`;
}

function report(
  run: ProjectRun<PostsFlags>,
  id: string,
  gone: CancelResult,
  owner: PostOwner | undefined,
): ExitCode {
  const end = gone.result === "done" ? gone.value : undefined;
  const row = owner === undefined ? undefined : { key: owner.key, file: owner.file };
  const status = end === "published" ? { status: "failed" } : writeOutcomeDocument(gone);
  const exit = reportWrite(run, gone, {
    outcome: { post_id: id, ...status, post: end, row },
    wording: cancelWording(id, end),
    next: "plancast posts list shows which posts are still scheduled.",
  });
  return end === "published" ? 1 : exit;
}
