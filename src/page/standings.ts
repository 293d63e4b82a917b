import type { PreviewStatus } from "../preview/preview-data.ts";
import type { IconName } from "./icons.ts";

interface StatusLabel {
  readonly label: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly icon: IconName;
}

/** In the order of the legend. The colour stands in page.css, under `.is-` and the name; it never says a thing alone. */
export const STATUS_LABELS = {
  create: { label: "Create", meaning: "Apply would schedule this post.", icon: "plus" },
  replace: {
    label: "Replace",
    meaning: "Apply would schedule this post in the place of the one that stands.",
    icon: "swap",
  },
  cancel: { label: "Cancel", meaning: "Apply would cancel this post.", icon: "cross" },
  adopt: {
    label: "Adopt",
    meaning: "The service has this post; apply would take it as the row's.",
    icon: "link",
  },
  hold: { label: "On hold", meaning: "It is not known yet whether this post is scheduled.", icon: "pause" },
  keep: {
    label: "Scheduled",
    meaning: "Scheduled as it stands here; apply would leave it alone.",
    icon: "check",
  },
  ready: { label: "Ready", meaning: "The row is to be published.", icon: "clock" },
  draft: { label: "Draft", meaning: "The row is a draft, and not planned.", icon: "pen" },
  skip: { label: "Skip", meaning: "The row is set aside, and not planned.", icon: "skip" },
  past: { label: "Past", meaning: "Its time is over; apply would leave it alone.", icon: "past" },
} as const satisfies Record<PreviewStatus, StatusLabel>;

function isStatusName(name: string): name is PreviewStatus {
  return Object.hasOwn(STATUS_LABELS, name);
}

export const STATUS_NAMES = Object.keys(STATUS_LABELS).filter(isStatusName);
