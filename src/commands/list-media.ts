/** `media list`: the service's media library, beside the files that it has copies of. */
import type { Project } from "../calendar/config.ts";
import type { CachedMedia } from "../calendar/lockfile.ts";
import { mediaText, type ServiceMedia } from "../report/account-lists.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { MediaFlags } from "./media.ts";
import { readLockfileIfPossible } from "./owners.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { showRead } from "./show-read.ts";

export function listMedia(
  project: Project,
  flags: GlobalFlags & MediaFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return showRead(project, flags, shell, console, async (service) => {
    const { items, doubt } = await service.listMedia(flags.type);
    const lockfile = await readLockfileIfPossible(project, service.origin, console);
    const cached = Object.values(lockfile?.media ?? {});
    const paths = new Map(
      cached.flatMap(({ id, also = [], path }) => [id, ...also].map((each) => [each, path])),
    );
    const media = items.map((each): ServiceMedia => ({ ...each, path: paths.get(each.id) }));
    const isAll = doubt === undefined && flags.type === undefined;
    const shown = (): object[] => media.map(({ id, type, url, path }) => ({ id, type, url, path }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, media: shown() }),
      text: () => mediaText({ items: media, doubt }, console.style),
      next: afterMedia(media, isAll ? cached : []),
    };
  });
}

/** @param cached what the lockfile knows, where the list shows all media; else none */
function afterMedia(media: readonly ServiceMedia[], cached: readonly CachedMedia[]): string | undefined {
  const listed = new Set(media.map(({ id }) => id));
  if (cached.some(({ id }) => !listed.has(id)))
    return "plancast media prune forgets files in the lockfile that are not in this list.";
  if (media.length === 0) return undefined;
  return "name an id in a row's media to use it again; files are known again by what they hold.";
}
