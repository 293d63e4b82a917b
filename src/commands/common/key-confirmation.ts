/** Asks on the terminal before a key goes to a new origin, and remembers the answer. */

import { findRepository } from "../../disk/find-repository.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { sendKeyQuestion } from "../../problems/key-texts.ts";
import type { Confirmation } from "../../service/connect/obtain-key.ts";
import type { Project } from "../../settings/config.ts";
import type { Run } from "./command.ts";
import { type RememberedKeys, rememberedKeys } from "./remembered-keys.ts";
import type { Shell } from "./shell.ts";

/** What was answered in this process: a command that opens the service again must not ask again, after a no either. */
const answers = new WeakMap<Shell, Map<string, boolean>>();

function nameOf(origin: string, key: string): string {
  return JSON.stringify([origin, key]);
}

export function keyConfirmation({ flags, shell, console }: Run): Confirmation {
  const answered = answers.get(shell) ?? new Map<string, boolean>();
  answers.set(shell, answered);
  const storeFor = async ({ root }: Project): Promise<RememberedKeys> =>
    rememberedKeys(shell.env, (await findRepository(root))?.root ?? root, root);
  return {
    trustUrls: flags["trust-url"],
    canAsk: shell.isInteractive,
    isRemembered: async (origin, key, project) =>
      answered.get(nameOf(origin, key)) === true || (await (await storeFor(project)).has(origin, key)),
    ask: async (use, key, project) => {
      const name = nameOf(use.origin, key);
      const before = answered.get(name);
      if (before !== undefined) return before;
      const isYes = await shell.confirm(`${escapeTerminal(sendKeyQuestion(use, project.file))} [y/N] `);
      answered.set(name, isYes);
      if (isYes && (await (await storeFor(project)).add(use.origin, key)) === undefined)
        console.note("plancast cannot remember this answer here, and asks again the next time.\n");
      return isYes;
    },
  };
}
