/** The record of what was sent on this machine. A job keeps it in its issue instead. */

import { readRegular, writeAtomic } from "../disk/files.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import type { Project } from "../settings/config.ts";
import type { SentRecord } from "./channels/channel.ts";
import { sentSchema } from "./core/news.ts";

const FILE = "alerts.json";

export function sentFile({ state }: Pick<Project, "state">): SentRecord {
  const place = state.in(FILE);
  return {
    keepsUnsent: true,
    read: async () => {
      try {
        return sentSchema.parse(JSON.parse((await readRegular(place)).toString("utf8")));
      } catch (error) {
        if (errorCode(error) === "ENOENT") return {};
        throw new Failure(
          "disk/state-invalid",
          `${state.nameOf(place)} cannot be read, so plancast does not know which alerts were sent.`,
          "Move the file away. Alerts that are still open are then sent again.",
        );
      }
    },
    write: async (sent) => {
      try {
        await writeAtomic(place, `${JSON.stringify(sent, null, 2)}\n`);
      } catch (error) {
        throw new Failure(
          "disk/not-writable",
          `${state.nameOf(place)} cannot be written, so the alerts will be sent again: ${reasonOf(error)}`,
          "Free some space, or fix the permissions.",
        );
      }
    },
  };
}
