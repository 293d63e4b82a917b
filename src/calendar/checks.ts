import { z } from "zod";
import type { CodeEntry } from "./code-entry.ts";

/**
 * The checks before posting: what the networks would refuse or cut. Their severity is the project's to set (`rules:`);
 * here stands the one that they have otherwise. All other codes are of things that plancast itself cannot work with.
 */
export const CHECKS = {
  "content/too-long": {
    severity: "warning",
    rule: "A text is no longer than each of its networks takes, as that network counts.",
  },
  "content/hashtags": { severity: "warning", rule: "A text has no more hashtags than the network takes." },
  "content/links": { severity: "warning", rule: "A text has no more links than the network takes." },
  "content/link": { severity: "warning", rule: "Every http(s) link in a text can be read as an address." },
  "media/required": {
    severity: "warning",
    rule: "A post has a picture or video where the network needs one.",
  },
  "media/too-many": {
    severity: "warning",
    rule: "A post has no more pictures and videos than the network takes.",
  },
  "media/mixed": {
    severity: "warning",
    rule: "A post does not mix pictures, GIFs and videos where the network takes one kind.",
  },
  "media/unsupported": {
    severity: "warning",
    rule: "A media file is of a type that the network takes, by its bytes.",
  },
  "media/too-large": { severity: "warning", rule: "A media file is no larger than the network takes." },
  "media/too-small": { severity: "warning", rule: "A media file is no smaller than the network takes." },
  "media/dimensions": {
    severity: "warning",
    rule: "A picture's width and height are within what the network takes.",
  },
  "media/aspect-ratio": {
    severity: "warning",
    rule: "A picture is no narrower or wider than the network shows whole.",
  },
  "media/too-long": { severity: "warning", rule: "A video is no longer than the network takes." },
  "media/broken": {
    severity: "warning",
    rule: "A picture or video is whole: neither cut short nor damaged.",
  },
  "row/same-minute": {
    severity: "warning",
    rule: "No two posts go to one platform in the same minute.",
  },
  "row/repeated-text": {
    severity: "warning",
    rule: "No text goes to one platform twice within 3 days.",
  },
} as const satisfies Record<string, CodeEntry>;

export type CheckCode = keyof typeof CHECKS;

const severity = z.enum(["error", "warning", "off"]);

/** What a project makes of a check. */
export type CheckSeverity = z.infer<typeof severity>;

function severities() {
  const entries = Object.entries(CHECKS).map(
    ([code, { rule }]) => [code, severity.optional().describe(rule)] as const,
  );
  return Object.fromEntries(entries);
}

/** `rules:` of the project file: each check with its severity in this project. */
export const rulesSchema: z.ZodType<Partial<Record<CheckCode, CheckSeverity>>> = z.strictObject(severities());
