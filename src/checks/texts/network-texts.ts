/**
 * The version of a post's texts for each network, as `utm:` and `mentions:` of plancast.yaml ask for it. Networks for
 * which nothing differs share one version.
 */

import { canonicalContent } from "../../model/canonical.ts";
import type { PostExtras } from "../../model/extras.ts";
import { sameList } from "../../model/text.ts";
import type { CalendarSettings } from "../../settings/calendar-settings.ts";
import { type Aliases, networkOf } from "../networks/network-names.ts";
import { handlesByNetwork, replaceMentions } from "./mentions.ts";
import { parametersFor, tagLinks } from "./utm.ts";

interface Texts extends Pick<PostExtras, "thread" | "first_comment"> {
  readonly content: string;
}

/** The values of a row that texts may need. */
interface RowValues {
  readonly id?: string | undefined;
  readonly campaign?: string | undefined;
}

export interface NetworkVersion {
  readonly texts: Texts;
  /** Whether this version is only for this network, or for networks that have the same version by chance. */
  readonly isOwn: boolean;
  readonly unclear: readonly UnclearLink[];
}

/** A link that should get UTM parameters, but whose end is not certain. */
export interface UnclearLink {
  readonly link: string;
  readonly field: keyof Texts;
  /** Index in the thread. */
  readonly item?: number;
}

/** @param platform the network's identifier */
export type VersionFor = (texts: Texts, row: RowValues, platform: string) => NetworkVersion;

const NO_HANDLES = new Map<string, string>();

/** Undefined if the settings leave every text as it is. */
export function networkTexts(
  { utm, mentions }: Pick<CalendarSettings, "utm" | "mentions">,
  aliases: Aliases,
): VersionFor | undefined {
  if (utm === undefined && mentions === undefined) return undefined;
  const handles = handlesByNetwork(mentions ?? {}, aliases);

  /** @param platform undefined for what all networks have in common */
  function version(
    texts: Texts,
    row: RowValues,
    platform: string | undefined,
  ): Omit<NetworkVersion, "isOwn"> {
    const network = networkOf(platform ?? "");
    const own = handles.get(platform ?? "") ?? handles.get(network) ?? NO_HANDLES;
    const parameters = utm === undefined ? [] : parametersFor(utm, { ...row, platform: network });
    const unclear: UnclearLink[] = [];
    const change = (text: string, field: keyof Texts, item?: number): string => {
      const tagged = tagLinks(replaceMentions(text, own), parameters, utm?.hosts);
      unclear.push(
        ...tagged.unclear.map((link) => ({ link, field, ...(item === undefined ? {} : { item }) })),
      );
      return canonicalContent(tagged.text);
    };
    return { texts: mapTexts(texts, change), unclear };
  }

  return (texts, row, platform) => {
    const own = version(texts, row, platform);
    return { ...own, isOwn: !areSame(own.texts, version(texts, row, undefined).texts) };
  };
}

function mapTexts(
  { content, thread, first_comment: comment }: Texts,
  change: (text: string, field: keyof Texts, item?: number) => string,
): Texts {
  return {
    content: change(content, "content"),
    ...(thread === undefined ? {} : { thread: thread.map((text, item) => change(text, "thread", item)) }),
    ...(comment === undefined ? {} : { first_comment: change(comment, "first_comment") }),
  };
}

function areSame(one: Texts, other: Texts): boolean {
  return (
    one.content === other.content &&
    one.first_comment === other.first_comment &&
    sameList(one.thread ?? [], other.thread ?? [])
  );
}
