/** `posts list` and `posts show`: what the service tells of its posts, beside the rows that they are of. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { ownersIn } from "../calendar/post-owner.ts";
import { postDocument, postsText, type ServicePost } from "../report/account-lists.ts";
import { postText } from "../report/one-post.ts";
import type { PostRecord } from "../service/records.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { readLockfileIfPossible } from "./owners.ts";
import type { PostsFlags } from "./posts.ts";
import { isStillScheduled } from "../service/post-state.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { showRead } from "./show-read.ts";

type Flags = GlobalFlags & PostsFlags;

export function listPosts(project: Project, flags: Flags, shell: Shell, console: Console): Promise<ExitCode> {
  return showRead(project, flags, shell, console, async (service) => {
    const { items, doubt } = await service.listPosts(flags.status === "all" ? undefined : flags.status);
    const withOwner = await ownership(project, service.origin, console);
    const posts = items.map(withOwner).sort(bySchedule);
    return {
      document: () => ({ version: 1, whole: doubt === undefined, posts: posts.map(postDocument) }),
      text: () => postsText({ items: posts, doubt }, project.config.timezone ?? "UTC", console.style),
      next: afterPosts(posts),
    };
  });
}

export function showPost(
  project: Project,
  id: string,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return showRead(project, flags, shell, console, async (service) => {
    const found = await service.readPost(id);
    if (found === undefined) throw noSuchPost(id);
    const post = (await ownership(project, service.origin, console))(found);
    return {
      document: () => ({ version: 1, post: postDocument(post), record: found.record }),
      text: () => postText(post, project.config.timezone ?? "UTC", console.style),
      next: "plancast posts list shows the others, and which rows they are of.",
    };
  });
}

function afterPosts(posts: readonly ServicePost[]): string | undefined {
  const isForeign = posts.some(
    (post) => post.owner === undefined && isStillScheduled({ status: post.status }),
  );
  if (isForeign) return "plancast pull writes the scheduled posts that are of no row into a calendar.";
  return posts.length === 0 ? undefined : "plancast posts show ID shows one of them whole.";
}

export function noSuchPost(id: string): Failure {
  return new Failure(
    "service/not-found",
    `The service has no post "${id}".`,
    "See plancast posts list --status all.",
  );
}

async function ownership(
  project: Project,
  origin: string,
  console: Console,
): Promise<(post: PostRecord) => ServicePost> {
  const lockfile = await readLockfileIfPossible(project, origin, console);
  const owners = lockfile === undefined ? undefined : ownersIn(lockfile);
  return (post) => ({ ...post, owner: owners?.get(post.id) });
}

/** Earliest first; what tells no time last. */
function bySchedule(one: ServicePost, other: ServicePost): number {
  const [a, b] = [one, other].map(({ scheduledAt = "~", id }) => `${scheduledAt} ${id}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
