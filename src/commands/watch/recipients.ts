/**
 * Who may get alerts as mail. A checkout could name a stranger, so a person or the environment confirms each list. In the
 * Action, the merge of plancast.yaml was the confirmation.
 */

import { checkoutFolder } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { rememberedKeys } from "../project/confirmations.ts";
import type { ProjectRun } from "../shell/command.ts";

/** The place of recipients among the origins of keys that a person confirmed. */
const ORIGIN = "mailto:";

/** Throws a Failure if nobody confirms the addresses. */
export async function confirmRecipients(
  { project, shell, console }: ProjectRun,
  to: readonly string[],
): Promise<void> {
  const named = new Set((shell.env["PLANCAST_NOTIFY_TO"] ?? "").split(/[\s,]+/).map(folded));
  const others = to.map(folded).filter((address) => !named.has(address));
  if (others.length === 0) return;
  const list = others.sort().join(", ");
  const remembered = rememberedKeys(shell.env, await checkoutFolder(project.root), project.root);
  if (await remembered.has(ORIGIN, list)) return;
  if (shell.isInteractive) {
    const question = `${project.file} sends alerts to ${list}. They show the texts of your posts. Send them there? [y/N] `;
    if (await shell.confirm(escapeTerminal(question))) {
      if ((await remembered.add(ORIGIN, list)) === undefined)
        console.note("plancast cannot save this answer here, so it will ask again next time.\n");
      return;
    }
  }
  throw new Failure(
    "notify/not-confirmed",
    `${project.file} sends alerts to ${list}, and nobody has confirmed these addresses here. Nothing was sent.`,
    `Run \`plancast watch\` once on a terminal and answer yes, or set PLANCAST_NOTIFY_TO=${others.join(",")}.`,
  );
}

function folded(address: string): string {
  return address.trim().toLowerCase();
}
