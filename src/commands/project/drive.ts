/** Google Drive, for a command that downloads media. Loaded only if a row names an address there. */

import { allowedHosts } from "../../media/allowed-hosts.ts";
import { driveLocator } from "../../sources/google-drive.ts";
import type { ProjectRun } from "../shell/command.ts";
import { openSources } from "./sheets.ts";

export interface OpenedDrive {
  readonly locate: ReturnType<typeof driveLocator>;
  readonly close: () => Promise<void>;
}

export function openDrive(run: ProjectRun): OpenedDrive {
  const { timeout } = run.project.config.media;
  const { access, close } = openSources(run, { allows: allowedHosts([]), timeout });
  return { locate: driveLocator(access), close };
}
