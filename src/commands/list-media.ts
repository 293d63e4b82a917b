/** `media list`: the service's media library, beside the files that it has copies of. */
import type { Project } from "../calendar/config.ts";
import { mediaText, type ListedMedia } from "../report/account-lists.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { MediaFlags } from "./media.ts";
import { lockfileIfReadable } from "./owners.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { withService } from "./with-service.ts";

export function listMedia(
  project: Project,
  flags: GlobalFlags & MediaFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return withService<ExitCode>(
    { project, access: "read-only" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const { items, doubt } = await service.listMedia(flags.type);
      const lockfile = await lockfileIfReadable(project, service.origin, console);
      const cached = Object.values(lockfile?.media ?? {});
      const paths = new Map(
        cached.flatMap(({ id, also = [], path }) => [id, ...also].map((each) => [each, path])),
      );
      const media = items.map((each): ListedMedia => ({ ...each, path: paths.get(each.id) }));
      if (flags.format === "json") {
        const shown = media.map(({ id, type, url, path }) => ({ id, type, url, path }));
        console.json({ version: 1, whole: doubt === undefined, media: shown });
      } else {
        console.result(mediaText({ items: media, doubt }, console.style));
        const listed = new Set(items.map(({ id }) => id));
        const isAll = doubt === undefined && flags.type === undefined;
        if (isAll && cached.some(({ id }) => !listed.has(id)))
          console.next("plancast media prune forgets files in the lockfile that are not in this list.");
        else if (items.length > 0)
          console.next(
            "name an id in a row's media to use it again; files are known again by what they hold.",
          );
      }
      return 0;
    },
  );
}
