/** How the page names and draws each status. */

import type { PreviewStatus } from "../../preview-data.ts";
import type { IconName } from "./icons.ts";

interface StatusLabel {
  readonly label: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly icon: IconName;
}

/** Listed in the order of the legend. The colours are in styles/base.css, under `.is-` and the name, and are never the only sign. */
export const STATUS_LABELS = {
  create: { label: "Create", meaning: "Apply would schedule this post.", icon: "plus" },
  replace: {
    label: "Replace",
    meaning: "Apply would replace the scheduled post with this one.",
    icon: "swap",
  },
  cancel: { label: "Cancel", meaning: "Apply would cancel this post.", icon: "cross" },
  adopt: {
    label: "Adopt",
    meaning: "The service has this post; apply would adopt it for the row.",
    icon: "link",
  },
  hold: {
    label: "On hold",
    meaning: "plancast does not know yet whether this post is scheduled.",
    icon: "pause",
  },
  keep: {
    label: "Scheduled",
    meaning: "This post is scheduled as shown here; apply would not change it.",
    icon: "check",
  },
  ready: { label: "Ready", meaning: "The row is ready to be scheduled.", icon: "clock" },
  draft: { label: "Draft", meaning: "The row is a draft, so plancast does not schedule it.", icon: "pen" },
  skip: { label: "Skip", meaning: "The row is skipped, so plancast does not schedule it.", icon: "skip" },
  past: { label: "Past", meaning: "Its time has passed; apply would not change it.", icon: "past" },
  published: { label: "Published", meaning: "The service has published this post.", icon: "checked" },
  failed: {
    label: "Failed",
    meaning: "The service could not publish this post on at least one network.",
    icon: "warning",
  },
  cancelled: {
    label: "Cancelled",
    meaning: "Somebody cancelled this post on the service before it was due.",
    icon: "cross",
  },
  unanswered: { label: "To answer", meaning: "You have not answered yet.", icon: "clock" },
  approved: { label: "Approved", meaning: "You approve this post as it is here.", icon: "check" },
  changes: { label: "Changes", meaning: "You ask for changes.", icon: "pen" },
} as const satisfies Record<PreviewStatus, StatusLabel>;

export function isStatusName(name: string): name is PreviewStatus {
  return Object.hasOwn(STATUS_LABELS, name);
}

export const STATUS_NAMES = Object.keys(STATUS_LABELS).filter(isStatusName);
