/** Errors for lists that cannot be proved whole, and how to solve them. */

import { Failure } from "../model/failure.ts";

const RUN_AGAIN = "Run again in a moment. If it still fails, check the scheduled posts on the service.";
/** For lists without a visible end. */
export const SET_LIST_LIMIT =
  "If you know the largest page that the service gives, set service.list_limit to it in plancast.yaml.";

/** For lists that mention more pages in a way that plancast cannot follow. */
export const RUN_DOCTOR_FOR_PAGES =
  "`plancast doctor` shows what the answers say about the next page, and the lines to fill in under service.shape.";
/** For answers that may mention more pages in unknown words. */
export const RUN_DOCTOR_OR_SET_LIMIT = `${RUN_DOCTOR_FOR_PAGES} If these are all, set service.list_limit in plancast.yaml to the largest page that the service gives.`;
/** For lists of posts without statuses. */
export const MAP_STATUS_AND_PAGES = `${SET_LIST_LIMIT} If the answers use other names for the status or the next page, set them under service.shape; plancast doctor helps.`;

/**
 * Ends the run, because creating or cancelling needs the whole list.
 * @param list its name for people, such as its endpoint
 * @param why what follows "it"
 */
export function incompleteList(list: string, why: string, hint = RUN_AGAIN): Failure {
  return new IncompleteList(list, why, hint);
}

class IncompleteList extends Failure {
  constructor(list: string, why: string, hint: string) {
    const message = `The list of ${list} may be incomplete: ${why}. Nothing was changed.`;
    super("service/list-not-whole", message, hint);
  }
}

/** A list that mentions more pages in a way that plancast cannot follow. */
export class UnfollowablePages extends IncompleteList {}
