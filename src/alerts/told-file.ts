/** The record of what was told on this machine. A job keeps it in its issue instead. */

import { readRegular, writeAtomic } from "../disk/files.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import type { Project } from "../settings/config.ts";
import type { ToldRecord } from "./channels/channel.ts";
import { toldSchema } from "./core/news.ts";

const FILE = "alerts.json";

export function toldFile({ state }: Pick<Project, "state">): ToldRecord {
  const place = state.in(FILE);
  return {
    keepsUntold: true,
    read: async () => {
      try {
        return toldSchema.parse(JSON.parse((await readRegular(place)).toString("utf8")));
      } catch (error) {
        if (errorCode(error) === "ENOENT") return {};
        throw new Failure(
          "disk/state-invalid",
          `${state.nameOf(place)} cannot be read, so plancast does not know which alerts were told.`,
          "Move the file away. Alerts that are still open are then told again.",
        );
      }
    },
    write: async (told) => {
      try {
        await writeAtomic(place, `${JSON.stringify(told, null, 2)}\n`);
      } catch (error) {
        throw new Failure(
          "disk/not-writable",
          `${state.nameOf(place)} cannot be written, so the alerts will be told again: ${reasonOf(error)}`,
          "Free some space, or fix the permissions.",
        );
      }
    },
  };
}
