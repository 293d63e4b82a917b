/** Reads the poll of a row: its choices, how long it runs, and whether a person may choose several. */

import { canonicalContent } from "../model/canonical.ts";
import { durationOf } from "../model/clock.ts";
import { DEFAULT_POLL_LENGTH, type PostExtras, splitChoices } from "../model/extras.ts";
import { type Problem, problem } from "../model/problem.ts";
import { yesOrNo } from "../settings/languages/languages.ts";
import type { RowView } from "./row-view.ts";

type Poll = Pick<PostExtras, "poll" | "poll_length" | "poll_multiple">;

const NO_POLL: Poll = {};

/** Faults are added to `problems`. */
export function readPoll(row: RowView, problems: Problem[]): Poll {
  const { poll: cell, poll_length: length, poll_multiple: multiple } = row.values;
  if (cell === undefined) {
    const lone = length ?? multiple;
    if (lone !== undefined) problems.push(problem("row/poll", NO_CHOICES, lone.at()));
    return NO_POLL;
  }
  const choices = (cell.isList ? cell.items : splitChoices(cell.written))
    .map((each) => canonicalContent(each).trim())
    .filter((each) => each !== "");
  if (choices.length < 2) problems.push(problem("row/poll", TOO_FEW, cell.at()));
  const twice = choices.find((each, index) => choices.indexOf(each) < index);
  if (twice !== undefined)
    problems.push(
      problem("row/poll", `The poll has the choice "${twice}" twice. Change one of them.`, cell.at()),
    );
  const text = length?.text ?? DEFAULT_POLL_LENGTH;
  if (durationOf(text) === undefined)
    problems.push(
      problem("row/poll", `"${text}" is not how long a poll runs. ${LENGTH_FORM}`, (length ?? cell).at()),
    );
  const isMultiple = multiple === undefined ? false : yesOrNo(multiple.text);
  if (isMultiple === undefined)
    problems.push(
      problem("row/poll", `"${multiple?.text ?? ""}" is neither yes nor no.`, (multiple ?? cell).at()),
    );
  return { poll: choices, poll_length: text, ...(isMultiple === true ? { poll_multiple: "yes" } : {}) };
}

const NO_CHOICES =
  "This belongs to a poll, but the row has no choices. Write them into poll, or clear the cell.";
const TOO_FEW = "A poll needs two choices or more. Write them into poll, with | between them.";
const LENGTH_FORM = "Write a number and a unit, such as 12h or 3d.";
