/** Puts another git before the real one, for what happens between two commands. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "../temp-folder.ts";

/** A PATH whose git is this shell script. */
export async function pathWithGit(script: string): Promise<string> {
  const folder = await tempFolder();
  await writeFile(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}

/** The real git, but something else in the clone fetches another branch after each fetch. */
export function fetchingToo(clone: string, branch: string): string {
  return `PATH="${process.env["PATH"]}"
    git "$@" || exit
    case " $* " in *" fetch "*) git -C "${clone}" fetch -q origin "${branch}";; esac`;
}
