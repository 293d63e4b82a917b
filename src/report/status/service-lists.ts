/**
 * Records of the service: lists of posts, media, connected accounts and automations, and one post with all its details.
 */

import { networkTitles } from "../../checks/networks/network-names.ts";
import type { PostOwner } from "../../model/lockfile.ts";
import type { PlatformResult, Publication } from "../../model/publication.ts";
import type { Doubt, PlatformRecord, PostRecord } from "../../service/records.ts";
import type {
  ConnectedAccountDocument,
  AutomationDocument,
  ListDocument,
  MediaDocument,
  PostDocument,
  RowDocument,
} from "../documents/service.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { fullTime, localTime, shortTime } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { type Column, advice, clipText, paragraph, tableLines } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";

type PostList = ListDocument & { readonly posts: readonly PostDocument[] };
type MediaList = ListDocument & { readonly media: readonly MediaDocument[] };
type AccountList = ListDocument & { readonly platforms: readonly ConnectedAccountDocument[] };
type AutomationList = ListDocument & { readonly automations: readonly AutomationDocument[] };

/** What all lists of the service begin with. */
export function listDocument(doubt: Doubt | undefined): ListDocument {
  if (doubt === undefined) return { version: 1, whole: true };
  return { version: 1, whole: false, doubt: `The list may be incomplete: ${doubt.why}. ${doubt.hint}` };
}

export function postsText(list: PostList, timezone: string, style: Style): string {
  const statuses = new Set(list.posts.map(({ status }) => status));
  const columns: Column<PostDocument>[] = [
    { title: "time", cell: ({ scheduled_at: at }) => (at === undefined ? "" : shortTime(at, timezone)) },
    { title: "id", cell: ({ id }) => id },
    // If all posts have the same status, the filter chose it, and it needs no column.
    { title: "status", cell: ({ status = "" }) => (statuses.size > 1 ? status : "") },
    { title: "networks", cell: ({ platforms = [] }) => networkTitles(platforms), mayTruncate: true },
    { title: "row", cell: ({ row }) => row?.id ?? row?.file ?? "", mayTruncate: true },
    { title: "text", cell: ({ content = "" }) => content.slice(0, 500), mayTruncate: true },
  ];
  return listText(list, list.posts, columns, "post", style, ` Times are in ${timezone}.`);
}

export function mediaListText(list: MediaList, style: Style): string {
  const columns: Column<MediaDocument>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "type", cell: ({ type = "" }) => type },
    { title: "file", cell: ({ path = "" }) => path, mayTruncate: true },
    { title: "address", cell: ({ url = "" }) => url, mayTruncate: true },
  ];
  return listText(list, list.media, columns, "media item", style);
}

export function accountsText(list: AccountList, style: Style): string {
  const columns: Column<ConnectedAccountDocument>[] = [
    { title: "platform", cell: ({ platform = "" }) => platform },
    { title: "id", cell: ({ id = "" }) => id },
    { title: "account", cell: ({ name = "" }) => name, mayTruncate: true },
    // In most lists, every account is active.
    ...(list.platforms.some(({ disabled }) => disabled)
      ? [{ title: "state", cell: ({ disabled }: ConnectedAccountDocument) => (disabled ? "disabled" : "") }]
      : []),
  ];
  return listText(list, list.platforms, columns, "connected account", style);
}

export function automationsText(list: AutomationList, style: Style): string {
  const columns: Column<AutomationDocument>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "name", cell: ({ name = "" }) => name, mayTruncate: true },
  ];
  return listText(list, list.automations, columns, "automation", style);
}

function listText<T>(
  { doubt }: ListDocument,
  items: readonly T[],
  columns: readonly Column<T>[],
  noun: string,
  style: Style,
  note = "",
): string {
  const table = items.length === 0 ? [] : [...tableLines(items, columns, style), ""];
  return terminalText([
    ...table,
    `${plural(items.length, noun)}.${items.length === 0 ? "" : note}`,
    ...(doubt === undefined ? [] : advice(doubt, style)),
  ]);
}

function timeOf({ scheduled_at: at }: PostDocument, timezone: string): string {
  return at === undefined ? "" : fullTime(localTime(at, timezone));
}

/** `acc_3 (linkedin, Our page)` */
export function accountName({ id = "", platform, name }: ConnectedAccountDocument): string {
  const about = [platform, name].filter((each) => each !== undefined && each !== id);
  return about.length === 0 ? id : `${id} (${[...new Set(about)].join(", ")})`;
}

/** @param isDown whether the service says that it publishes nothing there now */
export function accountDocument(
  { id, platform, name }: PlatformRecord,
  isDown: boolean,
): ConnectedAccountDocument {
  return { id, platform, name, ...(isDown ? { disabled: true } : {}) };
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
export function ownerText({ file, id }: NonNullable<RowDocument>): string {
  return id === undefined ? file : `${file}: ${id}`;
}

export function rowDocument(owner: PostOwner | undefined): RowDocument {
  return owner === undefined ? undefined : { key: owner.key, file: owner.file, id: owner.id };
}

export function postDocument(post: PostRecord, owner: PostOwner | undefined): PostDocument {
  const { id, status, content, platforms, scheduledAt, mediaIds } = post;
  return {
    id,
    status,
    content,
    platforms,
    scheduled_at: scheduledAt,
    media_ids: mediaIds,
    row: rowDocument(owner),
  };
}

export function postText(post: PostDocument, timezone: string, style: Style): string {
  const { colors } = style;
  const { id, status = "", platforms = [], media_ids: mediaIds = [], content, row } = post;
  const time = timeOf(post, timezone);
  const facts: readonly (readonly [string, string])[] = [
    ["status", status],
    ["time", time === "" ? "" : `${time} (${timezone})`],
    ["networks", networkTitles(platforms)],
    ["media", mediaIds.join(", ")],
    ["row", row === undefined ? "" : ownerText(row)],
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
export function postSummary(post: PostDocument, timezone: string, style: Style): string {
  const { id, platforms = [], content = "", media_ids: mediaIds = [] } = post;
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
