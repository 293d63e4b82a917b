/** One post of the service, whole. */
import { ownerText, timeOf, type ServicePost } from "./account-lists.ts";
import { escapeTerminal, terminalText } from "./escape-terminal.ts";
import { paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import { oneLine, type Style } from "./style.ts";
import { clipText } from "./clip-text.ts";

export function postText(post: ServicePost, timezone: string, style: Style): string {
  const { colors } = style;
  const { id, status = "", platforms = [], mediaIds = [], content, owner } = post;
  const time = timeOf(post, timezone);
  const facts: readonly (readonly [string, string])[] = [
    ["status", status],
    ["time", time === "" ? "" : `${time} (${timezone})`],
    ["platforms", platforms.join(", ")],
    ["media", mediaIds.join(", ")],
    ["row", owner === undefined ? "" : ownerText(owner)],
  ];
  return terminalText([
    colors.bold(escapeTerminal(id)),
    ...facts.flatMap(([name, value]) => (value === "" ? [] : paragraph(`${name}: ${value}`, style, "  "))),
    ...(content === undefined || content === ""
      ? []
      : ["", ...content.split("\n").flatMap((line) => (line === "" ? [""] : paragraph(line, style, "  ")))]),
  ]);
}

/** One post in a question: which, when, where, and how its text begins. Escaped. */
export function postSummary(post: ServicePost, timezone: string, style: Style): string {
  const { id, platforms = [], content = "", mediaIds = [] } = post;
  const text = content === "" ? "" : `"${clipText(content.split("\n")[0] ?? "", 60)}"`;
  const media = mediaIds.length === 0 ? "" : plural(mediaIds.length, "media item");
  const parts = [id, timeOf(post, timezone), platforms.join(", "), text, text === "" ? media : ""];
  return oneLine(parts.filter(Boolean).join(` ${style.marks.separator} `), style);
}
