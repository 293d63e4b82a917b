/** A webhook that gets alerts as JSON. The form is a contract with receivers: names never change, new ones may be added. */

import { type Alert, kindFacts } from "../core/alert.ts";
import type { WebForm } from "./web-channel.ts";

export const webhook: WebForm = {
  title: "The webhook",
  body: (project, { fresh, solved, open }) => ({
    version: 1,
    project,
    new: fresh.map(alertJson),
    solved,
    open: open.length,
  }),
};

/** An alert for scripts. */
export function alertJson({ kind, text, reason, repair }: Alert) {
  const { title, level, repair: usual } = kindFacts(kind);
  return {
    kind,
    level,
    title,
    text,
    ...(reason === undefined ? {} : { reason }),
    repair: repair ?? usual,
  };
}
