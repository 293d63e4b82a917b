/** The problem of a row that a note or a title keeps back. */

import { type Position, type Problem, problem } from "../../model/problem.ts";

/** @param why what says so, as a sentence without its end @param way what to do if the row may be published */
export function heldBack(why: string, way: string, at: Position): Problem {
  const message = `${why}, so plancast does not publish the row. If it may be published, ${way}. If not, give the row the status draft or skip, or delete it.`;
  return problem("row/held-back", message, at);
}
