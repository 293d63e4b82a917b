import type { Change } from "../calendar/change.ts";
import type { Outcome } from "../calendar/outcome.ts";
import { fullTime } from "./local-time.ts";
import { paragraph } from "./paragraph.ts";
import { joinParts, actionMark } from "./post-text.ts";
import { idOf, postView, type PostView } from "./post-view.ts";
import type { Style } from "./style.ts";

/** Finds what an outcome is the outcome of. */
export type ViewOf = (outcome: Outcome) => PostView | undefined;

export function viewsOf(changes: readonly Change[], timezone: string): ViewOf {
  const found = new Map(changes.map((change) => [name(change), change]));
  return (outcome) => {
    const change = found.get(name(outcome));
    return change === undefined ? undefined : postView(change, timezone);
  };
}

function name({ action, key }: Pick<Outcome, "action" | "key">): string {
  return `${action} ${key}`;
}

/** One outcome as lines: which post, where it stands, and what happened to it. */
export function outcomeLines(outcome: Outcome, viewOf: ViewOf, style: Style): string[] {
  const { colors } = style;
  const view = viewOf(outcome);
  const post = outcome.status === "done" ? outcome.postId : "";
  const parts = [
    { text: view === undefined ? "" : fullTime(view.when) },
    { text: view?.platforms.join(", ") ?? "" },
    // Without a place, even a derived key is better than nothing.
    { text: (view === undefined ? outcome.key : idOf(outcome.key)) ?? "", paint: colors.bold },
    { text: view?.place ?? "", paint: colors.dim },
    { text: post, paint: colors.dim },
  ];
  const indent = " ".repeat(4);
  const [first = "", ...rest] = joinParts(parts, style, style.width - indent.length);
  return [
    `  ${actionMark(outcome.action, style)} ${first}`,
    ...rest.map((line) => indent + line),
    ...whyLines(outcome).flatMap((line) => paragraph(line, style, indent)),
  ];
}

/** Why it is not done, or not known to be. */
export function whyLines(outcome: Outcome): string[] {
  switch (outcome.status) {
    case "failed":
      return [`${outcome.code}: ${outcome.message}`];
    case "unknown":
      return [`${unknownOutcomeText(outcome.action)}: ${outcome.message}`];
    case "done":
    case "not_started":
      return [];
    default:
      return outcome satisfies never;
  }
}

function unknownOutcomeText(action: Outcome["action"]): string {
  switch (action) {
    case "create":
      return "It may or may not have been scheduled";
    case "replace":
      return "The new version may or may not have been scheduled";
    case "cancel":
      return "It may or may not have been cancelled";
    case "adopt":
      return "It may or may not have been adopted";
    default:
      return action satisfies never;
  }
}
