/** The notes before the posts in the preview's page. Not escaped. */

import type { Failure } from "../../model/failure.ts";
import { plural } from "../text/numbers.ts";

/** Why the page shows no plan. */
export type NoPlan =
  | { readonly why: "offline" | "errors" | "nothing-planned" }
  /** How many web addresses of media a plan would have to download first. */
  | { readonly why: "unknown-media"; readonly addresses: number }
  | { readonly why: "unanswered"; readonly failure: Failure };

export function noPlanText(noPlan: NoPlan): string {
  switch (noPlan.why) {
    case "offline":
      return "Made without the service. The page shows the calendars, not the planned changes.";
    case "errors":
      return "Fix the errors to see the planned changes.";
    case "nothing-planned":
      return "There is no plan, so this page does not show planned changes.";
    case "unknown-media":
      return `To see the planned changes, run plancast plan first: it downloads ${plural(noPlan.addresses, "media address", "media addresses")}.`;
    case "unanswered": {
      const { message, hint } = noPlan.failure;
      return `This page does not show planned changes, because the request to the service failed. ${message}${hint === undefined ? "" : ` ${hint}`}`;
    }
    default:
      return noPlan satisfies never;
  }
}

/** For a page that shows another time (--now). */
export function trialPageText(now: string): string {
  return `This page shows the posts as if it were ${now} (--now).`;
}

export const READING_CALENDARS = "plancast is reading the calendars.";

/** Why the page differs from the files. @param hasPosts whether it shows earlier posts */
export function outdatedText(reason: string, hasPosts: boolean): string {
  return `${reason}${hasPosts ? " The rest of the page shows the previous state." : ""}`;
}
