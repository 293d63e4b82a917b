/** News as text: for chats, mails and terminals, and in Markdown for an issue. Pure. */

import { groupBy } from "../../model/data.ts";
import { escapeMarkdown, markdownWithCode } from "../../report/text/markdown.ts";
import { counted } from "../../report/text/numbers.ts";
import { ALERT_KIND_NAMES, type Alert, kindFacts } from "./alert.ts";
import type { News } from "./news.ts";

/** A message names this many alerts, and counts the others. */
const MAX_NAMED = 20;

/** How one form writes the parts of a message. */
interface Form {
  readonly title: (text: string) => string;
  readonly item: (text: string, reason: string | undefined) => readonly string[];
  readonly repair: (text: string) => string;
}

const PLAIN: Form = {
  title: (text) => text,
  item: (text, reason) => [`- ${text}`, ...(reason === undefined ? [] : [`  ${reason}`])],
  repair: (text) => `→ ${text}`,
};

const MARKDOWN: Form = {
  title: (text) => `**${escapeMarkdown(text)}**\n`,
  item: (text, reason) => [
    `- ${escapeMarkdown(text)}${reason === undefined ? "" : `<br>${escapeMarkdown(reason)}`}`,
  ],
  repair: (text) => `\n→ ${markdownWithCode(text)}`,
};

/** `2 new alerts, 1 solved` */
export function newsCounts({ fresh, solved }: Pick<News, "fresh" | "solved">): string {
  const word = fresh.length === 1 ? "new alert" : "new alerts";
  return counted([
    [fresh.length, word],
    [solved.length, "solved"],
  ]);
}

/** @param project its name @param maxLength in UTF-16 units: what does not fit is counted */
export function newsText(project: string, news: News, maxLength: number): string {
  const head = `plancast, ${project}: ${newsCounts(news)}`;
  for (let named = MAX_NAMED; named > 0; named -= 1) {
    const text = [head, ...newsParts(news, named, PLAIN)].join("\n\n");
    if (text.length <= maxLength) return text;
  }
  return `${head}\n\n${SEE_STATUS}`.slice(0, maxLength);
}

/** In Markdown, without a head. */
export function newsMarkdown(news: Pick<News, "fresh" | "solved">): string {
  return newsParts(news, MAX_NAMED, MARKDOWN).join("\n\n");
}

/** All open alerts, in Markdown. */
export function openMarkdown(open: readonly Alert[]): string {
  return alertParts(open, 3 * MAX_NAMED, MARKDOWN).join("\n\n");
}

const SEE_STATUS = "`plancast status` shows all of them.";

function newsParts(
  { fresh, solved }: Pick<News, "fresh" | "solved">,
  named: number,
  form: Form,
): readonly string[] {
  if (solved.length === 0) return alertParts(fresh, named, form);
  const shown = solved.slice(0, named).flatMap((text) => form.item(text, undefined));
  return [
    ...alertParts(fresh, named, form),
    [form.title("Solved"), ...shown, ...moreLines(solved.length - named)].join("\n"),
  ];
}

/** One part for each kind: its title, its alerts, and how to repair them. */
function alertParts(alerts: readonly Alert[], named: number, form: Form): readonly string[] {
  const groups = groupBy(alerts.slice(0, named), ({ kind, repair }) => JSON.stringify([kind, repair]));
  const order = [...groups.values()].sort((one, other) => placeOf(one) - placeOf(other));
  const parts = order.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { title, repair } = kindFacts(first.kind);
    return [
      form.title(title),
      ...group.flatMap(({ text, reason }) => form.item(text, reason)),
      form.repair(first.repair ?? repair),
    ].join("\n");
  });
  const more = moreLines(alerts.length - named);
  return more.length === 0 ? parts : [...parts, more.join("\n")];
}

function placeOf([first]: readonly Alert[]): number {
  return first === undefined ? 0 : ALERT_KIND_NAMES.indexOf(first.kind);
}

function moreLines(more: number): readonly string[] {
  return more > 0 ? [`And ${more} more. ${SEE_STATUS}`] : [];
}
