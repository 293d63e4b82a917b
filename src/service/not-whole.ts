/** Lists that cannot be shown whole, and what settles that. */
import { Failure } from "../calendar/failure.ts";

export const RUN_AGAIN = "Run again in a moment. If it stays so, look at the scheduled posts in the service.";
/** For lists whose end cannot be seen. */
export const SET_LIST_LIMIT =
  "If you know the largest page that the service gives, set service.list_limit to it in the project file.";

/** For lists that tell of more in a way that cannot be followed. */
export const RUN_DOCTOR_FOR_PAGES =
  "`plancast doctor` looks for how its next page is told, and says what to write under service.shape.";
/** For answers that may tell of more in words that are not known. */
export const RUN_DOCTOR_OR_SET_LIMIT = `${RUN_DOCTOR_FOR_PAGES} If these are all, set service.list_limit in the project file to the largest page that the service gives.`;

/** Ends the run: nothing may be created or cancelled on the strength of half a list. */
export function incompleteList(endpoint: string, why: string, hint = RUN_AGAIN): Failure {
  return new Failure(
    "service/list-not-whole",
    `The list of ${endpoint} cannot be shown whole: ${why}. Nothing was changed.`,
    hint,
  );
}
