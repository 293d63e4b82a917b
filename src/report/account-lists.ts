/** What the service holds, as lists: posts, media, connected accounts, automations. */
import type { PostOwner } from "../calendar/post-owner.ts";
import { terminalText } from "./escape-terminal.ts";
import { fullTime, localTime, shortTime } from "./local-time.ts";
import { advice } from "./paragraph.ts";
import { plural } from "./plural.ts";
import type { Style } from "./style.ts";
import { tableLines, type Column } from "./table.ts";

export interface ServicePost {
  readonly id: string;
  readonly status?: string;
  readonly content?: string;
  readonly platforms?: readonly string[];
  readonly scheduledAt?: string;
  readonly mediaIds?: readonly string[];
  /** The row whose post it is. */
  readonly owner: PostOwner | undefined;
}

export interface ServiceMedia {
  readonly id: string;
  readonly type?: string;
  readonly url?: string;
  /** The project's file that it is a copy of. */
  readonly path: string | undefined;
}

export interface ServiceAccount {
  readonly id?: string;
  readonly platform?: string;
  readonly name?: string;
}

interface ServiceAutomation {
  readonly id: string;
  readonly name?: string;
}

/** A list, and why it may be cut where it may. */
export interface ShownList<T> {
  readonly items: readonly T[];
  readonly doubt: { readonly why: string; readonly hint: string } | undefined;
}

export function postsText(list: ShownList<ServicePost>, timezone: string, style: Style): string {
  const statuses = new Set(list.items.map(({ status }) => status));
  const columns: Column<ServicePost>[] = [
    { title: "time", cell: ({ scheduledAt: at }) => (at === undefined ? "" : shortTime(at, timezone)) },
    { title: "id", cell: ({ id }) => id },
    // What is the same everywhere was asked for.
    { title: "status", cell: ({ status = "" }) => (statuses.size > 1 ? status : "") },
    { title: "platforms", cell: ({ platforms = [] }) => platforms.join(", "), isCut: true },
    { title: "row", cell: ({ owner }) => owner?.id ?? owner?.file ?? "", isCut: true },
    { title: "text", cell: ({ content = "" }) => content.slice(0, 500), isCut: true },
  ];
  return listText(list, columns, "post", style, ` Times are in ${timezone}.`);
}

export function mediaText(list: ShownList<ServiceMedia>, style: Style): string {
  const columns: Column<ServiceMedia>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "type", cell: ({ type = "" }) => type },
    { title: "file", cell: ({ path = "" }) => path, isCut: true },
    { title: "address", cell: ({ url = "" }) => url, isCut: true },
  ];
  return listText(list, columns, "media item", style);
}

export function accountsText(list: ShownList<ServiceAccount>, style: Style): string {
  const columns: Column<ServiceAccount>[] = [
    { title: "platform", cell: ({ platform = "" }) => platform },
    { title: "id", cell: ({ id = "" }) => id },
    { title: "account", cell: ({ name = "" }) => name, isCut: true },
  ];
  return listText(list, columns, "connected account", style);
}

export function automationsText(list: ShownList<ServiceAutomation>, style: Style): string {
  const columns: Column<ServiceAutomation>[] = [
    { title: "id", cell: ({ id }) => id },
    { title: "name", cell: ({ name = "" }) => name, isCut: true },
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
    doubt === undefined ? [] : advice(`The list may be cut: ${doubt.why}. ${doubt.hint}`, style);
  const table = items.length === 0 ? [] : [...tableLines(items, columns, style), ""];
  return terminalText([
    ...table,
    `${plural(items.length, noun)}.${items.length === 0 ? "" : note}`,
    ...doubtful,
  ]);
}

export function timeOf({ scheduledAt }: Pick<ServicePost, "scheduledAt">, timezone: string): string {
  return scheduledAt === undefined ? "" : fullTime(localTime(scheduledAt, timezone));
}

/** The row of a post: its calendar, and its id where it has one. */
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
