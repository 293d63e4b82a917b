/** A shape that was found, as advice: what would be read with it, and what to paste where. */
import { plural } from "../report/plural.ts";
import type { PostRecord } from "../service/records.ts";
import type { Facts } from "./facts.ts";
import { pasteMapping } from "./paste-shape.ts";
import { suggestedFor, type Suggested } from "./suggested.ts";

export interface MappingAdvice extends Suggested {
  /** What to do with the lines, as the end of a sentence that the lines follow. */
  readonly paste: string;
  /** What of it has to be looked up; a sentence, or empty. */
  readonly guess: string;
  /** Lines for the project file. */
  readonly snippet: string;
}

/** Undefined where nothing in the answers looks like posts, or all of it is read already. */
export function adviseMapping({ service, now, projectText }: Facts): MappingAdvice | undefined {
  const found = service && suggestedFor(service, now);
  if (service === undefined || found === undefined) return undefined;
  const { where, lines } = pasteMapping(found.shape, projectText);
  const isGuessed = found.shape.next_as !== service.settings.shape?.next_as;
  return {
    ...found,
    guess: isGuessed ? GUESSED : "",
    paste: `${where}, and run doctor again:`,
    snippet: lines,
  };
}

const GUESSED =
  "What its cursor is sent back as (next_as) is a guess: look it up in the service's documentation. ";

/** One post as an example, cut short: whoever pastes the lines should see what was taken for what. */
export function exampleOf({ posts, guess, paste }: MappingAdvice): string {
  const [first] = posts;
  if (first === undefined)
    return `What was found does not make posts readable by itself: fill in what is missing (docs/doctor.md), then ${paste}`;
  return `With the lines below ${plural(posts.length, "post")} can be read, the first as: ${describePost(first)}. ${guess}If that is right, ${paste}`;
}

function describePost({ id, status, scheduledAt, platforms, content }: PostRecord): string {
  const parts = [
    `id ${id.slice(0, 40)}`,
    `scheduled_at ${scheduledAt ?? "not found"}`,
    `platforms ${platforms?.join(", ").slice(0, 60) ?? "not found"}`,
    `content ${content === undefined ? "not found" : JSON.stringify(content.slice(0, 24))}`,
    `status ${status?.slice(0, 24) ?? "not found"}`,
  ];
  return parts.join("; ");
}
