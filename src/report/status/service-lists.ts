/**
 * Records of the service: lists of posts, media, connected accounts and automations, and one post with all its details.
 */

import { networkTitles } from "../../checks/networks/network-names.ts";
import type { PostOwner } from "../../model/lockfile.ts";
import type { RemotePost } from "../../model/post.ts";
import type { PlatformResult, Publication } from "../../model/publication.ts";
import type { Doubt, PostRecord } from "../../service/records.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { fullTime, localTime, shortTime } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { type Column, advice, clipText, paragraph, tableLines } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";

export interface ServicePost extends RemotePost {
  /** As the service names it. */
  readonly status?: string;
  /** The row of the post. */
  readonly owner: PostOwner | undefined;
}

export interface ServiceMedia {
  readonly id: string;
  readonly type?: string;
  readonly url?: string;
  /** The project's file that was uploaded. */
  readonly path: string | undefined;
}

export interface ServiceAccount {
  readonly id?: string;
  readonly platform?: string;
  readonly name?: string;
  /** Whether the service says that it publishes nothing there now. */
  readonly isDown?: boolean;
}

interface ServiceAutomation {
  readonly id: string;
  readonly name?: string;
}

/** A list, and why it may be incomplete. */
interface ShownList<T> {
  readonly items: readonly T[];
  readonly doubt: Doubt | undefined;
}

export function postsText(list: ShownList<ServicePost>, timezone: string, style: Style): string {
  const statuses = new Set(list.items.map(({ status }) => status));
  const columns: Column<ServicePost>[] = [
    { title: "time", cell: ({ scheduledAt: at }) => (at === undefined ? "" : shortTime(at, timezone)) },
    { title: "id", cell: ({ id }) => id },
    // If all posts have the same status, the filter chose it, and it needs no column.
    { title: "status", cell: ({ status = "" }) => (statuses.size > 1 ? status : "") },
    { title: "networks", cell: ({ platforms = [] }) => networkTitles(platforms), mayTruncate: true },
    { title: "row", cell: ({ owner }) => owner?.id ?? owner?.file ?? "", mayTruncate: true },
    { title: "text", cell: ({ content = "" }) => content.slice(0, 500), mayTruncate: true },
  ];
  return listText(list, columns, "post", style, ` Times are in ${timezone}.`);
}

export function mediaText(list: ShownList<ServiceMedia>, style: Style): string {
  const columns: Column<ServiceMedia>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "type", cell: ({ type = "" }) => type },
    { title: "file", cell: ({ path = "" }) => path, mayTruncate: true },
    { title: "address", cell: ({ url = "" }) => url, mayTruncate: true },
  ];
  return listText(list, columns, "media item", style);
}

export function accountsText(list: ShownList<ServiceAccount>, style: Style): string {
  const columns: Column<ServiceAccount>[] = [
    { title: "platform", cell: ({ platform = "" }) => platform },
    { title: "id", cell: ({ id = "" }) => id },
    { title: "account", cell: ({ name = "" }) => name, mayTruncate: true },
    // In most lists, every account is active.
    ...(list.items.some(({ isDown }) => isDown)
      ? [{ title: "state", cell: ({ isDown }: ServiceAccount) => (isDown === true ? "disabled" : "") }]
      : []),
  ];
  return listText(list, columns, "connected account", style);
}

export function automationsText(list: ShownList<ServiceAutomation>, style: Style): string {
  const columns: Column<ServiceAutomation>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "name", cell: ({ name = "" }) => name, mayTruncate: true },
  ];
  return listText(list, columns, "automation", style);
}

function listText<T>(
  { items, doubt }: ShownList<T>,
  columns: readonly Column<T>[],
  noun: string,
  style: Style,
  note = "",
): string {
  const doubtful =
    doubt === undefined ? [] : advice(`The list may be incomplete: ${doubt.why}. ${doubt.hint}`, style);
  const table = items.length === 0 ? [] : [...tableLines(items, columns, style), ""];
  return terminalText([
    ...table,
    `${plural(items.length, noun)}.${items.length === 0 ? "" : note}`,
    ...doubtful,
  ]);
}

function timeOf({ scheduledAt }: Pick<ServicePost, "scheduledAt">, timezone: string): string {
  return scheduledAt === undefined ? "" : fullTime(localTime(scheduledAt, timezone));
}

/** `acc_3 (linkedin, Our page)` */
export function accountName({ id = "", platform, name }: ServiceAccount): string {
  const about = [platform, name].filter((each) => each !== undefined && each !== id);
  return about.length === 0 ? id : `${id} (${[...new Set(about)].join(", ")})`;
}

export function accountDocument({ id, platform, name, isDown }: ServiceAccount): object {
  return { id, platform, name, ...(isDown === true ? { disabled: true } : {}) };
}

/** Why a post cannot be cancelled: its result on each network, or the service's word for it. Not escaped. */
export function notCancellableText({ id, status }: PostRecord, { results }: Publication): string {
  const on = (state: PlatformResult["state"]): string =>
    results
      .filter((each) => each.state === state)
      .map(({ platform }) => platform)
      .join(", ");
  const [published, failed, expired] = [on("published"), on("failed"), on("expired")];
  const parts = [
    ...(published === "" ? [] : [`published on ${published}`]),
    ...(failed === "" ? [] : [`failed on ${failed}`]),
    ...(expired === "" ? [] : [`expired on ${expired}`]),
  ];
  const what =
    parts.length === 0
      ? `the service says that it is ${JSON.stringify(status)}`
      : `it is ${parts.join(" and ")}`;
  return `${id} cannot be cancelled: ${what}.`;
}

/** The row of a post: its calendar, and its id if it has one. */
export function ownerText({ file, id }: PostOwner): string {
  return id === undefined ? file : `${file}: ${id}`;
}

/** `posts list --format json` and `posts show`. */
export function postDocument(post: ServicePost): object {
  const { id, status, content, platforms, scheduledAt, mediaIds, owner } = post;
  return {
    id,
    status,
    content,
    platforms,
    scheduled_at: scheduledAt,
    media_ids: mediaIds,
    row: owner === undefined ? undefined : { key: owner.key, file: owner.file },
  };
}

export function postText(post: ServicePost, timezone: string, style: Style): string {
  const { colors } = style;
  const { id, status = "", platforms = [], mediaIds = [], content, owner } = post;
  const time = timeOf(post, timezone);
  const facts: readonly (readonly [string, string])[] = [
    ["status", status],
    ["time", time === "" ? "" : `${time} (${timezone})`],
    ["networks", networkTitles(platforms)],
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

/** One post in a question: which, when, where, and the beginning of its text. Escaped. */
export function postSummary(post: ServicePost, timezone: string, style: Style): string {
  const { id, platforms = [], content = "", mediaIds = [] } = post;
  const text = content === "" ? "" : `"${clipText(content.split("\n")[0] ?? "", 60)}"`;
  const media = mediaIds.length === 0 ? "" : plural(mediaIds.length, "media item");
  const parts = [id, timeOf(post, timezone), networkTitles(platforms), text, text === "" ? media : ""];
  return oneLine(parts.filter(Boolean).join(` ${style.marks.separator} `), style);
}

/** The result of a post, as a line of a log: `published post_81f (calendars/a.csv: launch) linkedin https://…`. */
export function publicationLine(
  id: string,
  owner: PostOwner | undefined,
  { state, results, reason }: Publication,
  style: Style,
): string {
  const networks = results.map(({ platform, url, reason: why }) =>
    [platform, url ?? why].filter(Boolean).join(" "),
  );
  const parts = [
    state,
    id,
    owner === undefined ? "" : `(${ownerText(owner)})`,
    networks.join(", "),
    reason ?? "",
  ];
  return terminalText([oneLine(parts.filter((part) => part !== "").join(" "), style)]);
}
