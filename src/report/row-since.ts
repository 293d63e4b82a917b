import { DERIVED_KEY_PREFIX } from "../calendar/post.ts";
import type { RowStatus } from "../calendar/row-status.ts";

/** What is to be known of a post whose row is another now, and what to do; undefined where the row is as it was. */
export function rowChangeText({ since, key, file, place }: RowStatus): string | undefined {
  switch (since) {
    case undefined:
      return undefined;
    case "edited":
      return `This is the post as it was applied; its row was edited since. ${SEE_PLAN}`;
    case "set_aside":
      return `Its row, ${place}, is draft or skipped now. ${SEE_PLAN}`;
    case "gone": {
      // Without an id, an edited row cannot be told from a new one.
      const other = key.startsWith(DERIVED_KEY_PREFIX) ? ", or was edited" : "";
      return `Its row is gone from ${file}${other}. ${SEE_PLAN}`;
    }
    case "unreadable":
      return `Its row is gone from ${file}, or cannot be understood there as it is.`;
    default:
      return since satisfies never;
  }
}

const SEE_PLAN = "plancast plan shows what apply would do about it.";
