/**
 * The version of a post's texts for each network, as `utm:` and `mentions:` of plancast.yaml ask for it. Its links have
 * UTM parameters, and the names that it mentions are the network's handles. Networks for which nothing differs share one
 * version. Pure.
 */

import { domainToASCII } from "node:url";
import { parseUrl } from "../model/address.ts";
import { canonicalContent } from "../model/canonical.ts";
import type { PostExtras } from "../model/extras.ts";
import { sameList } from "../model/text.ts";
import {
  type CalendarSettings,
  type Mentions,
  type UtmSettings,
  type UtmVariable,
  UTM_VARIABLES,
} from "../settings/calendar-settings.ts";
import { networkOf } from "../model/options/catalogue.ts";
import { type Aliases, identify } from "./networks/network-names.ts";
import { findLinks } from "./rules/links-and-tags.ts";

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

const NO_HANDLES: ReadonlyMap<string, string> = new Map();

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

// Mentions: the handles of a network in place of names.

/** Handles on one network, with `@`, by the name in texts in lower case, with `@`. */
type Handles = ReadonlyMap<string, string>;

/** The handles of each network, by its identifier. */
export function handlesByNetwork(mentions: Mentions, aliases: Aliases): ReadonlyMap<string, Handles> {
  const found = new Map<string, Map<string, string>>();
  for (const [name, handles] of Object.entries(mentions)) {
    for (const [network, handle] of Object.entries(handles)) {
      const platform = identify(network, aliases);
      const own = found.get(platform) ?? new Map<string, string>();
      found.set(platform, own.set(folded(name), `@${handle.replace(/^@/, "")}`));
    }
  }
  return found;
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/**
 * A whole name after an `@` that begins a word: not the end of an e-mail address, and not in a path or a query. Without
 * an end condition, because the pattern must not match the beginning of a longer name. A dot before it is usual.
 */
const NAME =
  /(?<![\p{L}\p{M}\p{N}_@＠/=%])(?<![\p{L}\p{M}\p{N}_][.+~-]{1,3})@[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*(?:(?<=[\p{L}\p{M}\p{N}_])@[\p{L}\p{N}][\p{L}\p{N}.-]*)?/gu;

/** After a name, it shows that the name is part of something else, such as a package `@acme/tools`. */
const GOES_ON = /^[/@][\p{L}\p{N}_]/u;

/** Signs at the end of a name that belong to the sentence. */
const SENTENCE_END = /[.-]{1,8}$/;

/** Names in a link, and what follows a link without a space, stay as they are. */
export function replaceMentions(text: string, handles: Handles): string {
  if (handles.size === 0 || !text.includes("@")) return text;
  return text.replaceAll(/\S+/gu, (word) => (word.includes("@") ? replacedInWord(word, handles) : word));
}

function replacedInWord(word: string, handles: Handles): string {
  const scheme = word.indexOf("://");
  return word.replaceAll(NAME, (whole, offset: number) => {
    const after = offset + whole.length;
    if ((scheme !== -1 && offset > scheme) || GOES_ON.test(word.slice(after, after + 3))) return whole;
    const [end = ""] = SENTENCE_END.exec(whole.slice(-8)) ?? [];
    const handle = handles.get(folded(whole.slice(0, whole.length - end.length)));
    return handle === undefined ? whole : handle + end;
  });
}

// UTM parameters for the links of a text.

const PARAMETERS = [
  "source",
  "medium",
  "campaign",
  "term",
  "content",
] as const satisfies (keyof UtmSettings)[];

/** A parameter of a link: its name, and its value as an address holds it. */
interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** The values of a post; an absent value is blank. */
type UtmValues = { readonly [Name in UtmVariable]?: string | undefined };

/** The parameters for a post. Leaves out a parameter that is blank, or needs a value that the post does not have. */
export function parametersFor(settings: UtmSettings, values: UtmValues): readonly Parameter[] {
  return PARAMETERS.flatMap((name): Parameter[] => {
    const template = settings[name] ?? "";
    const used = UTM_VARIABLES.filter((each) => template.includes(`{${each}}`));
    if (template.trim() === "" || used.some((each) => (values[each] ?? "") === "")) return [];
    const value = template.replaceAll(/\{([a-z]+)\}/g, (whole, variable: string) => {
      const known = UTM_VARIABLES.find((each) => each === variable);
      return known === undefined ? whole : (values[known] ?? "");
    });
    return [{ name: `utm_${name}`, value: encoded(value.trim()) }];
  });
}

/**
 * A value as a query holds it. Networks end a link before some characters, so plancast encodes these characters, too.
 */
function encoded(value: string): string {
  const whole = value.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return encodeURIComponent(whole).replaceAll(
    /[!'()*~]|\.$/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

interface Tagged {
  readonly text: string;
  /** Links that should get parameters, but whose end is not certain. They stay as they are. */
  readonly unclear: readonly string[];
}

/**
 * A text whose links have the parameters. A link keeps a parameter that it already has.
 * @param hosts whose links get them, with their subdomains; undefined for all
 */
export function tagLinks(text: string, parameters: readonly Parameter[], hosts?: readonly string[]): Tagged {
  const links = parameters.length === 0 ? [] : findLinks(text, { bare: false });
  const own = hosts?.map((host) => domainToASCII(host));
  const unclear: string[] = [];
  let tagged = "";
  let done = 0;
  for (const { start, end: hostEnd, text: found } of links) {
    const link = found + fragmentAt(text, hostEnd, found);
    const end = start + link.length;
    const longer = withParameters(link, parameters);
    if (longer === link || !isOnHost(link, own)) continue;
    if (!endsThere(text, end, longer)) {
      unclear.push(link);
      continue;
    }
    tagged += text.slice(done, start) + longer;
    done = end;
  }
  return { text: tagged + text.slice(done), unclear };
}

const WITHOUT_PATH = /^https?:\/\/[^/?#]*$/i;
const FRAGMENT = /#[\w!./%-]*[\w/]/y;

/** The fragment of a link without a path, such as `https://example.com#top`, which networks read as a hashtag. */
function fragmentAt(text: string, end: number, link: string): string {
  if (text[end] !== "#" || !WITHOUT_PATH.test(link)) return "";
  FRAGMENT.lastIndex = end;
  return FRAGMENT.exec(text)?.[0] ?? "";
}

function withParameters(link: string, parameters: readonly Parameter[]): string {
  const [address, query, fragment] = partsOf(link);
  const present = new Set([...new URLSearchParams(query ?? "").keys()].map(parameterName));
  const added = parameters.filter(({ name }) => !present.has(name));
  if (added.length === 0) return link;
  // Some programs end a link without a path before its query.
  const path = WITHOUT_PATH.test(address) ? "/" : "";
  const before = query === undefined || query === "" || query.endsWith("&") ? (query ?? "") : `${query}&`;
  const all = added.map(({ name, value }) => `${name}=${value}`).join("&");
  return `${address}${path}?${before}${all}${fragment}`;
}

/** Address, query without `?` (undefined without any), and fragment with `#`. */
function partsOf(link: string): readonly [address: string, query: string | undefined, fragment: string] {
  const hash = link.indexOf("#");
  const whole = hash === -1 ? link : link.slice(0, hash);
  const fragment = link.slice(whole.length);
  const mark = whole.indexOf("?");
  return mark === -1 ? [whole, undefined, fragment] : [whole.slice(0, mark), whole.slice(mark + 1), fragment];
}

/** In an address that somebody copied from a page's source, `&` may be `&amp;`. */
function parameterName(name: string): string {
  return name.toLowerCase().replace(/^amp;/, "");
}

function isOnHost(link: string, hosts: readonly string[] | undefined): boolean {
  if (hosts === undefined) return true;
  const host = parseUrl(link)?.hostname.replace(/\.$/, "") ?? "";
  return hosts.some((own) => own !== "" && (host === own || host.endsWith(`.${own}`)));
}

/**
 * Signs that may belong to an address. If one of these characters follows, programs disagree about where the link
 * ends.
 */
const MAYBE_OF_LINK = /^[\p{L}\p{M}\p{N}%&=+$/#@^{[(\\_~-]/u;

/** Text after a link that is looked at, in UTF-16 units. */
const LOOK_AHEAD = 64;

/** Whether the longer form of a link that ends at `end` would end before the text that follows. */
function endsThere(text: string, end: number, longer: string): boolean {
  const near = text.slice(end, end + LOOK_AHEAD);
  if (MAYBE_OF_LINK.test(near)) return false;
  const [run = ""] = /^\S*/.exec(near) ?? [];
  if (run.length === LOOK_AHEAD) return false;
  return findLinks(longer + run, { bare: false })[0]?.text === longer;
}
