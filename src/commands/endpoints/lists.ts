/** What the service has: lists of posts, media, connected accounts and automations, and one whole post. */

import { Failure } from "../../model/failure.ts";
import { type CachedMedia, type PostOwner, ownersIn } from "../../model/lockfile.ts";
import type {
  ConnectedAccountDocument,
  MediaDocument,
  PostDocument,
} from "../../report/documents/service.ts";
import {
  accountDocument,
  accountsText,
  automationsText,
  listDocument,
  mediaListText,
  postDocument,
  postText,
  postsText,
} from "../../report/status/service-lists.ts";
import { isStillScheduled } from "../../service/answers/post.ts";
import { isDown } from "../../service/answers/other-records.ts";
import { readLockfileIfPossible, showRead } from "../project/service-records.ts";
import type { FormatFlag, ProjectRun } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";

export function listRemotePosts(
  run: ProjectRun<FormatFlag & { readonly status: string }>,
): Promise<ExitCode> {
  const { project, flags, console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listPosts(flags.status === "all" ? undefined : flags.status);
    const owners = await ownersOf(run, service.origin);
    const posts = items.map((post) => postDocument(post, owners.get(post.id))).sort(bySchedule);
    const document = { ...listDocument(doubt), posts };
    return {
      document,
      text: () => postsText(document, project.config.timezone ?? "UTC", console.style),
      next: afterPosts(posts),
    };
  });
}

function afterPosts(posts: readonly PostDocument[]): string | undefined {
  const isForeign = posts.some(({ row, status }) => row === undefined && isStillScheduled(status));
  if (isForeign) return "plancast pull writes scheduled posts without a row into a calendar.";
  return posts.length === 0 ? undefined : "to see a whole post, run plancast posts show ID.";
}

/** Earliest first; posts without a time last. */
function bySchedule(one: PostDocument, other: PostDocument): number {
  const [a, b] = [one, other].map(({ scheduled_at: at = "~", id }) => `${at} ${id}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

export function showPost(run: ProjectRun<FormatFlag>, id: string): Promise<ExitCode> {
  const { project, console } = run;
  return showRead(run, async (service) => {
    const found = await service.readPost(id);
    if (found === undefined) throw noSuchPost(id);
    const post = postDocument(found, (await ownersOf(run, service.origin)).get(found.id));
    return {
      document: { version: 1, post, record: found.record },
      text: () => postText(post, project.config.timezone ?? "UTC", console.style),
      next: "plancast posts list shows the others and their rows.",
    };
  });
}

export function noSuchPost(id: string): Failure {
  return new Failure(
    "service/not-found",
    `The service has no post "${id}".`,
    "plancast posts list --status all shows all posts.",
  );
}

async function ownersOf(run: ProjectRun, origin: string): Promise<ReadonlyMap<string, PostOwner>> {
  const lockfile = await readLockfileIfPossible(run, origin);
  return lockfile === undefined ? new Map() : ownersIn(lockfile);
}

/** Each item, with the project's file that was uploaded. */
export function listMedia(
  run: ProjectRun<FormatFlag & { readonly type: string | undefined }>,
): Promise<ExitCode> {
  const { flags, console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listMedia(flags.type);
    const lockfile = await readLockfileIfPossible(run, service.origin);
    const cached = Object.values(lockfile?.media ?? {});
    const paths = new Map(
      cached.flatMap(({ id, also = [], path }) => [id, ...also].map((each) => [each, path])),
    );
    const media = items.map(({ id, type, url }) => ({ id, type, url, path: paths.get(id) }));
    const document = { ...listDocument(doubt), media };
    const isAll = document.whole && flags.type === undefined;
    return {
      document,
      text: () => mediaListText(document, console.style),
      next: afterMedia(media, isAll ? cached : []),
    };
  });
}

/** @param cached the lockfile's entries if the list shows all media, otherwise none */
function afterMedia(media: readonly MediaDocument[], cached: readonly CachedMedia[]): string | undefined {
  const listed = new Set(media.map(({ id }) => id));
  if (cached.some(({ id }) => !listed.has(id)))
    return "plancast media prune removes files that are not in this list from the lockfile.";
  if (media.length === 0) return undefined;
  return "to use a file again, name its id in a row's media. plancast recognises a file by its content.";
}

export function listPlatforms(run: ProjectRun<FormatFlag>): Promise<ExitCode> {
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listAccounts();
    const platforms: readonly ConnectedAccountDocument[] = items.map((each) =>
      accountDocument(each, isDown(each)),
    );
    const document = { ...listDocument(doubt), platforms };
    return {
      document,
      text: () => accountsText(document, run.console.style),
      next:
        platforms.length === 0 ? undefined : "use these names in the calendars. plancast plan checks them.",
    };
  });
}

export function listAutomations(run: ProjectRun<FormatFlag>): Promise<ExitCode> {
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listAutomations();
    const automations = items.map(({ id, name }) => ({ id, name }));
    const document = { ...listDocument(doubt), automations };
    return { document, text: () => automationsText(document, run.console.style) };
  });
}
