/** What a command reads of the service and shows, as text or as JSON. */
import type { Project } from "../calendar/config.ts";
import type { Service } from "../service/service.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { withService } from "./with-service.ts";

/** What was read, in both forms; only the one that is asked for is made. */
export interface ShownRecord {
  readonly document: () => object;
  readonly text: () => string;
  /** What to do next, after the text. */
  readonly next?: string | undefined;
}

export function showRead(
  project: Project,
  flags: GlobalFlags & { readonly format: "text" | "json" },
  shell: Shell,
  console: Console,
  read: (service: Service) => Promise<ShownRecord>,
): Promise<ExitCode> {
  return withService<ExitCode>(
    { project, access: "read-only" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const { document, text, next } = await read(service);
      if (flags.format === "json") console.json(document());
      else {
        console.result(text());
        console.next(next);
      }
      return 0;
    },
  );
}
