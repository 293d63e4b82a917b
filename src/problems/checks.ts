import type { ProblemEntry } from "./problem-entry.ts";

/**
 * The checks before posting: what the networks would refuse or cut. Their severity is the project's to set (`rules:`);
 * here stands the one that they have otherwise. All other codes are of things that plancast itself cannot work with.
 */
export const CHECKS = {
  "content/too-long": {
    severity: "warning",
    rule: "A text is no longer than each of its networks takes, as that network counts.",
    cause:
      "The text is longer than the network takes, as that network counts: an emoji or a link may count for more than one.",
    fix: "Shorten it, or give that network its own text: a column `content:twitter`.",
  },
  "content/hashtags": {
    severity: "warning",
    rule: "A text has no more hashtags than the network takes.",
    cause: "The text has more hashtags than the network takes.",
    fix: "Remove some.",
  },
  "content/links": {
    severity: "warning",
    rule: "A text has no more links than the network takes.",
    cause: "The text has more links than the network takes.",
    fix: "Remove some.",
  },
  "content/link": {
    severity: "warning",
    rule: "Every http(s) link in a text can be read as an address.",
    cause: "A link is mistyped, so nobody could open it.",
    fix: "Correct the link.",
  },
  "media/required": {
    severity: "warning",
    rule: "A post has a picture or video where the network needs one.",
    cause: "The network takes no post without a picture or video.",
    fix: "Add one, or take that platform out of the row.",
  },
  "media/too-many": {
    severity: "warning",
    rule: "A post has no more pictures and videos than the network takes.",
    cause: "The post has more pictures than the network takes.",
    fix: "Remove some, or give that network its own: a column `media:twitter`.",
  },
  "media/mixed": {
    severity: "warning",
    rule: "A post does not mix pictures, GIFs and videos where the network takes one kind.",
    cause: "Pictures and videos stand in one post, and the network takes one kind.",
    fix: "Keep one kind, or make two posts.",
  },
  "media/unsupported": {
    severity: "warning",
    rule: "A media file is of a type that the network takes, by its bytes.",
    cause: "The network does not take files of this type.",
    fix: "Export it as the type that is named.",
  },
  "media/too-large": {
    severity: "warning",
    rule: "A media file is no larger than the network takes.",
    cause: "The file is larger than the network takes.",
    fix: "Export it smaller.",
  },
  "media/too-small": {
    severity: "warning",
    rule: "A media file is no smaller than the network takes.",
    cause: "The file is smaller than the network takes.",
    fix: "Export it larger.",
  },
  "media/dimensions": {
    severity: "warning",
    rule: "A picture's width and height are within what the network takes.",
    cause: "The picture has fewer or more pixels than the network takes.",
    fix: "Export it in another size.",
  },
  "media/aspect-ratio": {
    severity: "warning",
    rule: "A picture is no narrower or wider than the network shows whole.",
    cause: "The picture is narrower or wider than the network shows whole.",
    fix: "Crop it.",
  },
  "media/too-long": {
    severity: "warning",
    rule: "A video is no longer than the network takes.",
    cause: "The video is longer than the network takes.",
    fix: "Cut it.",
  },
  "media/broken": {
    severity: "warning",
    rule: "A picture or video is whole: neither cut short nor damaged.",
    cause: "The file is cut short or damaged: an export, an upload or a sync did not finish.",
    fix: "Export it again.",
  },
  "row/same-minute": {
    severity: "warning",
    rule: "No two posts go to one platform in the same minute.",
    cause: "Two posts go to one platform in the same minute.",
    fix: "Move one of them.",
  },
  "row/repeated-text": {
    severity: "warning",
    rule: "No text goes to one platform twice within 3 days.",
    cause: "One text goes to a platform twice within three days, which networks may take for spam.",
    fix: "Change the text, or move one of them.",
  },
} as const satisfies Record<string, ProblemEntry>;

export type CheckCode = keyof typeof CHECKS;
