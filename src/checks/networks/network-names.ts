/**
 * Networks by name: the networks that a cell names, in all common forms (`Twitter/X`, `IG & FB`,
 * `Linked In`), and the limits of a network in a project.
 */

import { groupBy } from "../../model/data.ts";
import { nearest, tidyName } from "../../model/text.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import type { NetworkFacts, Limits } from "../../settings/limits.ts";
import { LANGUAGES, wordsOf } from "../../settings/languages/languages.ts";
import { type AccountSettings, accountPlatform } from "../../settings/accounts.ts";
import { type AccountLimits, limitsOfAccount } from "./account-limits.ts";
import { NETWORKS } from "./networks.ts";
import type { Config } from "../../settings/config.ts";

/**
 * The form of an identifier: "a short lowercase name of a social network" (the service's interface), or `network/account`
 * if a project has several accounts there.
 */
export const IDENTIFIER = /^[a-z0-9][a-z0-9_.-]{0,39}(?:\/[a-z0-9_-]{1,40})?$/;

/** The name that people read: `X` for `twitter`, `LinkedIn/founder` for an account. An unknown name stays as it is. */
export function networkTitle(platform: string): string {
  const network = networkOf(platform);
  const title = networkNamed(network)?.title;
  return title === undefined ? platform : title + platform.slice(network.length);
}

/** `LinkedIn, X` */
export function networkTitles(platforms: readonly string[]): string {
  return platforms.map(networkTitle).join(", ");
}

/** Aliases that people type, case-folded, each with the identifier. */
export class Aliases extends Map<string, string> {
  /** Whether the service has names for accounts, so that `linkedin/brand` may be one of them. */
  readonly hasServiceAccounts: boolean;
  readonly targets: ReadonlySet<string>;
  readonly #byNetwork: ReadonlyMap<NetworkFacts | undefined, readonly string[]>;

  constructor(identifiers: Iterable<readonly [string, string]> = [], hasServiceAccounts = false) {
    super(identifiers);
    this.hasServiceAccounts = hasServiceAccounts;
    this.targets = new Set(this.values());
    const byNetwork = groupBy(this, ([name]) => networkNamed(name));
    this.#byNetwork = new Map(
      [...byNetwork].map(([network, names]) => [network, [...new Set(names.map(([, target]) => target))]]),
    );
  }

  /** The identifiers for names of a network. */
  ofNetwork(network: NetworkFacts): readonly string[] {
    return this.#byNetwork.get(network) ?? [];
  }
}

/** Without names of a project, but with names of accounts, as in calendars: `x/brand` is `twitter/brand`. */
export const SERVICE_NAMES = new Aliases([], true);

/** The value in `platforms:` for a name to which plancast must not publish, such as `Newsletter: skip`. */
export const LEFT_OUT = "skip";

/** An emoji beside a name does not count. */
export function foldPlatform(name: string): string {
  const folded = tidyName(name).toLowerCase();
  if (/^[ -~]*$/.test(folded)) return folded;
  return folded.replaceAll(/[\p{Extended_Pictographic}\ufe0f\u200d]/gu, "").trim() || folded;
}

/** Networks whose limits plancast does not know. Their names are the usual identifiers. */
const OTHER_NETWORKS = new Set(
  (
    "behance devto discord dribbble farcaster flickr ghost hashnode kakao lemmy lemon8 line listmonk medium mewe moltbook nextdoor nostr " +
    "quora reddit skool slack snapchat substack telegram truthsocial tumblr twitch viber vimeo vk warpcast webhook wechat weibo " +
    "whatsapp whop wordpress xing yelp"
  ).split(" "),
);

/** Whether plancast knows only the name of a network. Few services publish there. */
export function isOnlyName(platform: string): boolean {
  return OTHER_NETWORKS.has(foldNetworkName(networkOf(platform)));
}

/** Channels of a team's plan that are not networks, in the form of `foldNetworkName`. */
const OTHER_CHANNELS = new Set(
  (
    "newsletter enewsletter mailing mailinglist email emails mail blog blogpost blogartikel website web site siteweb " +
    "webseite webbplats intranet podcast press pressrelease presse print flyer poster sms radio tv event"
  ).split(" "),
);

/** Whether a name means a channel, such as `Newsletter`, to which no service for social networks publishes. */
export function isOtherChannel(name: string): boolean {
  return OTHER_CHANNELS.has(foldNetworkName(name));
}

/**
 * The identifier that a name means: by an alias, otherwise the network's usual one or the alias of another of its
 * names. Undefined if the name is unknown.
 */
function identifierOf(name: string, aliases: Aliases): string | undefined {
  const own = aliases.get(name);
  if (own !== undefined) return own;
  const folded = foldNetworkName(name);
  const network = networkNamed(folded);
  // If it contains a separator, somebody copied this identifier from the service.
  const isIdentifier = IDENTIFIER.test(name) && /[_.-]/.test(name);
  if (network !== undefined && isIdentifier) return name;
  if (network !== undefined) {
    // The network has two accounts with different names, so any other name could mean either of them.
    const [other, ...more] = aliases.ofNetwork(network);
    return more.length > 0 ? undefined : (other ?? network.names[0]);
  }
  if (OTHER_NETWORKS.has(folded)) return IDENTIFIER.test(name) ? name : folded;
  const account = aliases.hasServiceAccounts ? accountIn(name, aliases) : undefined;
  if (account !== undefined) return account;
  return aliases.targets.has(name) ? name : undefined;
}

/** `twitter/brand` for `x/brand`. The name of a second network does not count as an account. */
function accountIn(name: string, aliases: Aliases): string | undefined {
  const [, typed = "", account = ""] = /^([^/]+)\/([^/]+)$/.exec(name) ?? [];
  if (account === "" || identifierOf(account, aliases) !== undefined) return undefined;
  const network = identifierOf(typed, aliases);
  const whole = `${network}/${account}`;
  return network !== undefined && IDENTIFIER.test(whole) ? whole : undefined;
}

/** The identifier of a name; an unknown name stays as it is. */
export function identify(name: string, aliases: Aliases): string {
  const typed = foldPlatform(name);
  return identifierOf(typed, aliases) ?? typed;
}

/** Words between two names. */
const AND: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ and }) => wordsOf(and)));
/** No network's name has more words. */
const MAX_WORDS = 4;

/**
 * The identifiers that a text without commas names: the longest known names, one after the other. Undefined if any of
 * its words belongs to no known name.
 */
export function networksIn(text: string, aliases: Aliases): string[] | undefined {
  const whole = identifierOf(text, aliases) ?? identifierOf(withoutOldName(text), aliases);
  if (whole !== undefined) return identifiersMeant(whole, aliases);
  const words = text
    .replaceAll(/[()[\]]/g, " ")
    .split(/[\s/&+]+/u)
    .filter((word) => word !== "");
  const found: string[] = [];
  let at = 0;
  while (at < words.length) {
    const { name, length } = longestName(words, at, aliases);
    if (name === undefined) {
      const isBetween = found.length > 0 && at < words.length - 1 && AND.has(words[at] ?? "");
      if (!isBetween) return undefined;
    } else found.push(...identifiersMeant(name, aliases));
    at += length;
  }
  return found.length === 0 ? undefined : found;
}

/** An alias can mean several networks: `all: linkedin, x`. */
function identifiersMeant(target: string, aliases: Aliases): string[] {
  return target.includes(",") ? splitTargets(target).map((name) => identify(name, aliases)) : [target];
}

/** The names in a value of `platforms:`. */
export function splitTargets(target: string): string[] {
  return target
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** `x` for `x (formerly twitter)`: the network again, by another of its names. */
function withoutOldName(text: string): string {
  const [, name = "", other = ""] = /^([^(（[]+)[(（[]([^()（）[\]]+)[)）\]]$/.exec(text) ?? [];
  const network = networkNamed(name);
  const isSame = network?.names.some((each) => each.length > 1 && foldNetworkName(other).endsWith(each));
  return isSame === true ? name.trim() : text;
}

/** The names in a text that a sign or a word such as `and` joins. They may be unknown. */
export function namesJoined(text: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const word of text.split(/\s+|([/&+])/u).filter((each) => each !== undefined && each !== "")) {
    if (AND.has(word) || /^[/&+]$/.test(word)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.map((words) => words.join(" ")).filter((name) => name !== "");
}

function longestName(
  words: readonly string[],
  at: number,
  aliases: Aliases,
): { readonly name: string | undefined; readonly length: number } {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length -= 1) {
    const name = identifierOf(words.slice(at, at + length).join(" "), aliases);
    if (name !== undefined) return { name, length };
  }
  return { name: undefined, length: 1 };
}

/** The known name that a mistyped one most likely means. */
export function nearestNetwork(name: string, aliases: Aliases): string | undefined {
  return nearest(name, [...aliases.keys(), ...NETWORKS.flatMap(({ names }) => names), ...OTHER_NETWORKS]);
}

/** Facts about a platform that rows name. */
export interface PlatformLimits {
  /** The platform's identifier. */
  readonly platform: string;
  /** The network's title, or the platform's identifier if the network is unknown. */
  readonly title: string;
  readonly limits: Limits;
  /** The limits that the project sets. */
  readonly own: Limits;
  /** The account, if plancast publishes there itself. */
  readonly account?: AccountLimits | undefined;
}

type LimitSettings = Pick<Config, "limits" | "platforms" | "accounts">;

/**
 * The limits of a platform by its identifier: the limits of its network and account, unless the project sets others.
 * Undefined without any.
 */
type LimitsOf = (platform: string) => PlatformLimits | undefined;

/** Looks each platform up once. */
export function limitsOfProject(settings: LimitSettings): LimitsOf {
  const found = new Map<string, PlatformLimits | undefined>();
  return (platform) => {
    if (!found.has(platform)) found.set(platform, findLimits(platform, settings));
    return found.get(platform);
  };
}

function findLimits(
  platform: string,
  { limits: overrides, platforms: aliases, accounts }: LimitSettings,
): PlatformLimits | undefined {
  // A service may give an account any name. In this case, the alias that people use shows the network.
  const names = [
    networkOf(platform),
    ...Object.keys(aliases).filter(
      (alias) => foldNetworkName(aliases[alias] ?? "") === foldNetworkName(platform),
    ),
  ];
  const network = names.map(networkNamed).find((each) => each !== undefined);
  const known = new Set([...names, ...(network?.names ?? [])].map(foldNetworkName));
  // Servers of a network differ, so limits of one account come last and have priority.
  const entries = [
    ...Object.entries(overrides).filter(([name]) => known.has(foldNetworkName(name))),
    ...Object.entries(overrides).filter(([name]) => name.includes("/") && name === platform),
  ];
  const account = accountOf(platform, accounts);
  if (network === undefined && account === undefined && entries.length === 0) return undefined;
  const own = entries.reduce<Limits>((merged, [, each]) => ({ ...merged, ...each }), {});
  return {
    platform,
    title: account?.title ?? network?.title ?? platform,
    limits: { ...network?.limits, ...account?.limits, ...own },
    own,
    account,
  };
}

function accountOf(
  platform: string,
  accounts: Readonly<Record<string, AccountSettings>>,
): AccountLimits | undefined {
  const found = Object.entries(accounts).find(([name]) => accountPlatform(name, accounts) === platform);
  return found === undefined ? undefined : limitsOfAccount(found[1]);
}

const BY_NAME: ReadonlyMap<string, NetworkFacts> = new Map(
  NETWORKS.flatMap((network) => network.names.map((name) => [name, network] as const)),
);

/** The network with this name. Case, spaces and punctuation do not count. */
export function networkNamed(name: string): NetworkFacts | undefined {
  return BY_NAME.get(foldNetworkName(name));
}

function foldNetworkName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/g, "");
}
