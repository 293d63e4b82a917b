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
      return "Made without asking the service: it shows what the calendars say, not what a plan would do.";
    case "errors":
      return "Fix the errors to see the planned changes.";
    case "nothing-planned":
      return "There is no plan, so the planned changes are not shown.";
    case "unknown-media":
      return `What a plan would do is not shown: ${plural(noPlan.addresses, "address", "addresses")} of media would have to be downloaded first. plancast plan does that.`;
    case "unanswered": {
      const { message, hint } = noPlan.failure;
      return `What a plan would do is not shown, because the service could not be asked. ${message}${hint === undefined ? "" : ` ${hint}`}`;
    }
    default:
      return noPlan satisfies never;
  }
}

export const READING_CALENDARS = "The calendars are being read.";

/** Why the page differs from the files. @param hasPosts whether it shows earlier posts */
export function outdatedText(reason: string, hasPosts: boolean): string {
  return `${reason}${hasPosts ? " What follows is as it was before." : ""}`;
}
