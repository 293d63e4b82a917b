/** Reads the platforms that rows name, with the project's own names for them, and checks that the service knows them. */

import { networkOf } from "../model/options/catalogue.ts";
import { canonicalPlatforms } from "../model/canonical.ts";
import { yamlKey } from "../model/columns.ts";
import { nearest } from "../model/text.ts";
import { unknownAccountText } from "../problems/plan-texts.ts";
import type { ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { accountPlatform } from "../settings/accounts.ts";
import type { Config, Project } from "../settings/config.ts";
import { presetNamed } from "../settings/presets/presets.ts";
import {
  Aliases,
  IDENTIFIER,
  LEFT_OUT,
  SERVICE_NAMES,
  foldPlatform,
  identify,
  isOtherChannel,
  nearestNetwork,
  namesJoined,
  networksIn,
  networkNamed,
  splitTargets,
} from "./networks/network-names.ts";
import { postTypeNamed } from "../settings/post-types.ts";
import type { RowView, Value } from "./row-view.ts";
import { readStatus } from "./statuses.ts";

/** The project's own names for platforms: the names in `platforms:`, and `network/name` for each of `accounts:`. */
export function aliasesOf({
  platforms,
  accounts = {},
  service,
}: Pick<Config, "platforms"> & Partial<Pick<Config, "accounts" | "service">>): Aliases {
  const own = Object.entries(platforms).map(
    ([name, identifier]) => [foldPlatform(name), foldPlatform(identifier)] as const,
  );
  const byAccount = Object.entries(accounts).map(
    ([name, { network }]) => [`${network}/${name}`, accountPlatform(name, accounts)] as const,
  );
  return new Aliases([...byAccount, ...own], service?.type !== undefined);
}

export interface Platforms {
  /** If there are no problems, an empty list means that the project leaves out all platforms of the row. */
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

/** A row's platforms in canonical form, and the problems with them. */
export type ReadPlatforms = (row: RowView) => Platforms;

/** Reads the platforms of many rows. Values repeat in a long calendar, so each is read only once. */
export function platformReader(aliases: Aliases): ReadPlatforms {
  const known = new Map<string, Platforms>();
  const faults = new Map<string, NameFault>();
  const faultOf = (typed: string): NameFault => {
    const fault = faults.get(typed) ?? nameFault(typed, aliases);
    faults.set(typed, fault);
    return fault;
  };
  const readNames: ReadPlatforms = (row) => {
    const items = platformsByText(row) ?? row.values.platforms;
    // A list is written with line ends, which separate names in a text, too.
    const text = row.row.namesAccounts === true ? undefined : items?.written;
    const same = text === undefined ? undefined : known.get(text);
    if (same !== undefined) return same;
    const read = platformsOf(row, items, aliases, faultOf);
    if (text !== undefined && text !== "" && read.problems.length === 0) known.set(text, read);
    return read;
  };
  return (row) => withoutUnready(row, readNames(row), aliases);
}

/** The platforms without those for which a column such as `status:linkedin` does not say ready. */
function withoutUnready({ row, settings }: RowView, read: Platforms, aliases: Aliases): Platforms {
  if (row.variants.length === 0) return read;
  const unready = new Set(
    row.variants.flatMap(({ platform, cells: { status } }) =>
      typeof status === "string" && readStatus({ text: status }, settings.status_values) !== "ready"
        ? [identify(platform, aliases)]
        : [],
    ),
  );
  return unready.size === 0 ? read : { ...read, names: read.names.filter((name) => !unready.has(name)) };
}

/**
 * If a table has a column of text for each network, and none for all networks, a row goes to the networks for which
 * it has a text. If it only has a status for each network, it goes to these. Undefined if the row names its platforms in
 * another way.
 */
export function platformsByText({ row }: RowView): Value | undefined {
  if (row.cells.platforms !== undefined) return undefined;
  const withCell = (field: "content" | "status"): string[] =>
    row.variants.flatMap(({ platform, cells }) => (cells[field] === undefined ? [] : [platform]));
  const byText = row.cells.content === undefined ? withCell("content") : [];
  const items = byText.length > 0 ? byText : withCell("status");
  if (items.length === 0) return undefined;
  const text = items.join(", ");
  return { text, written: text, items, isList: true, at: () => row.at() };
}

function platformsOf(
  row: RowView,
  items: Value | undefined,
  aliases: Aliases,
  faultOf: (typed: string) => NameFault,
): Platforms {
  const problems: Problem[] = [];
  const namesAccounts = row.row.namesAccounts === true && row.row.cells.platforms !== undefined;
  const named = (items?.items ?? []).flatMap((text, index) =>
    splitPlatforms(text).flatMap((typed) => {
      if (typed === LEFT_OUT) return [LEFT_OUT];
      const known = namesAccounts ? accountsIn(typed, aliases) : networksIn(typed, aliases);
      const wrong = known?.find((name) => !IDENTIFIER.test(name));
      if (known !== undefined && wrong === undefined) return known;
      const fault = namesAccounts ? accountFault(typed) : faultOf(wrong ?? typed);
      const found = problem(fault.code, fault.message, items?.at(index));
      const isChannel = isOtherChannel(typed);
      problems.push({ ...found, questions: [{ topic: "platform-name", name: typed, isChannel }] });
      return [];
    }),
  );
  // Marks that all are blank name none, too.
  const leavesOut = [row.settings.defaults?.platforms].flat().includes(LEFT_OUT);
  if (named.length === 0 && problems.length === 0 && !leavesOut)
    problems.push({
      ...problem("row/missing-field", noPlatformMessage(row), row.at("platforms")),
      questions: [{ topic: "platforms" }],
    });
  return { names: canonicalPlatforms(named.filter((name) => name !== LEFT_OUT)), problems };
}

interface NameFault {
  readonly code: "platform/unknown";
  readonly message: string;
}

/** The platforms of accounts, which only `platforms:` knows. */
function accountsIn(typed: string, aliases: Aliases): string[] | undefined {
  const words = aliases.has(typed) ? [typed] : typed.split(/\s+/u);
  const found = words.map((word) => aliases.get(word));
  return found.every((each) => each !== undefined) ? found.flatMap(splitTargets) : undefined;
}

function accountFault(typed: string): NameFault {
  const message = `"${typed}" is an account, but plancast.yaml does not say on which platform. Add \`platforms: { ${JSON.stringify(typed)}: linkedin }\`.`;
  return { code: "platform/unknown", message };
}

/** Longest name that may be a network's, in UTF-16 units. */
const LONGEST_NAME = 60;
const LIKE_A_NAME = /^[\p{L}\p{M}\p{N}\s@_.'’()[\]/&+-]+$/u;

/** `not Facebook`: a line for Facebook would do the opposite. */
const NEGATED =
  /(?<!\p{L})(?:not|no|except|without|but|nicht|ohne|außer|sans|sauf|pas|sin|excepto|salvo|non|senza|tranne|sem|exceto|niet|zonder|behalve|bez|nie|oprócz)(?!\p{L})/iu;

const ALL =
  /^(?:all|every|everywhere|everything|alle|alles|tous|toutes|todos|todas|tutti|tutte|wszystkie|الكل|جميع|全て|すべて|全部)(?!\p{L})/iu;

function nameFault(typed: string, aliases: Aliases): NameFault {
  if (ALL.test(typed)) {
    const message = `"${typed}" does not say which networks. Write their names into the cell, or set \`platforms: { ${yamlKey(typed)}: "linkedin, instagram" }\` in plancast.yaml, with the networks that you mean.`;
    return { code: "platform/unknown", message };
  }
  if (typed.length > LONGEST_NAME || !LIKE_A_NAME.test(typed)) {
    const message = `"${typed}" cannot be the name of a platform. Write names such as linkedin, separated by commas.`;
    return { code: "platform/unknown", message };
  }
  if (isOtherChannel(typed)) {
    const message =
      `"${typed}" is not a social network, so plancast does not publish there. ` +
      `To leave it out in all rows, set \`platforms: { ${yamlKey(typed)}: ${LEFT_OUT} }\` in plancast.yaml.`;
    return { code: "platform/unknown", message };
  }
  if (postTypeNamed(typed) === "story") {
    const message =
      `"${typed}" is a story, and plancast publishes no stories. ` +
      `To leave these rows out on this network, set \`platforms: { ${yamlKey(typed)}: ${LEFT_OUT} }\` in plancast.yaml.`;
    return { code: "platform/unknown", message };
  }
  const account = nearestAccount(typed, aliases);
  const unknown = account === undefined ? unknownParts(typed, aliases) : [];
  const [wrong = typed] = unknown;
  const near = NEGATED.test(wrong) ? undefined : (account ?? nearestNetwork(wrong, aliases));
  const what = `"${wrong}"${unknown.length > 0 ? ` in "${typed}"` : ""} is not a network that plancast knows.`;
  if (near !== undefined) {
    const line = `\`platforms: { ${yamlKey(wrong)}: ${identify(near, aliases)} }\``;
    return {
      code: "platform/unknown",
      message: `${what} Did you mean "${near}"? Then correct the cell. If your team always writes it like this, add ${line} to plancast.yaml.`,
    };
  }
  // A name such as `IG story` contains its network. Another name may be anything.
  const [within] = NEGATED.test(wrong)
    ? []
    : wrong.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap((word) => networksIn(word, aliases) ?? []);
  const line = (value: string): string => `\`platforms: { ${yamlKey(wrong)}: ${value} }\``;
  const way =
    within === undefined
      ? `If it is a network, set ${line("NAME")} in plancast.yaml, with your service's name for it instead of NAME. To leave it out in all rows, set ${line(LEFT_OUT)}.`
      : `If it is an ordinary post on ${within}, set ${line(within)} in plancast.yaml. To leave it out in all rows, set ${line(LEFT_OUT)}.`;
  return { code: "platform/unknown", message: `${what} ${way}` };
}

/** `linkedin/brand` for `linkedn/brand` and `linkedin / Brand`, if the service has names for accounts. */
function nearestAccount(typed: string, aliases: Aliases): string | undefined {
  const [network = "", account = "", ...more] = typed.split("/").map((part) => part.trim());
  if (!aliases.hasServiceAccounts || account === "" || more.length > 0) return undefined;
  // `facebook/instgram` are two networks.
  if (nearestNetwork(account, aliases) !== undefined) return undefined;
  const known = networksIn(network, aliases);
  const near = known === undefined ? nearestNetwork(network, aliases) : known[0];
  return near === undefined ? undefined : `${near}/${account.replaceAll(/\s+/gu, "-")}`;
}

/** If a word such as `and` or `/` joins names: the unknown names. Empty if no name is known. */
function unknownParts(typed: string, aliases: Aliases): readonly string[] {
  const parts = namesJoined(typed);
  const unknown = parts.filter((part) => networksIn(part, aliases) === undefined);
  return unknown.length === parts.length ? [] : unknown;
}

/** Files of some schedulers do not name the platform: people choose it when they upload the file. */
function noPlatformMessage({ row, settings }: RowView): string {
  const preset = presetNamed(settings.preset);
  const isSaid = Object.values(preset?.settings.columns ?? {}).some((target) =>
    /^(?:platforms|accounts)/.test(target),
  );
  if (preset === undefined || isSaid || row.cells.platforms !== undefined)
    return "The row names no platform. Fill in platforms, or set `defaults: { platforms: [linkedin] }` in plancast.yaml.";
  return `A file from ${preset.title} does not name platforms. Set \`defaults: { platforms: [linkedin] }\` in plancast.yaml, either next to \`preset:\` or for all files.`;
}

/**
 * Separates platforms in a cell. Spaces, `/`, `&`, `+` and words such as `and` separate names only if both names are
 * known.
 */
export const PLATFORM_SEPARATOR = /[,;|\n\r،؛、，]/;

/** The networks that one of the names in a cell means; undefined if it is unknown. */
export function platformsNamed(typed: string, aliases: Aliases): readonly string[] | undefined {
  return networksIn(foldPlatform(typed), aliases);
}

/** Splits at `,` `;` `|`, line ends, and the commas of Arabic and Japanese. Returns folded names, as typed. */
function splitPlatforms(text: string): string[] {
  return text
    .split(PLATFORM_SEPARATOR)
    .map(foldPlatform)
    .filter((name) => name !== "");
}

/** The accounts of the service, by their names in calendars. */
interface ServiceNetworks {
  readonly known: ReadonlySet<string>;
  /** Those that do not publish now. */
  readonly inactive: ReadonlySet<string>;
}

/**
 * Problems for the platforms that the service does not list, each with the nearest name or alias. A row that repeats has
 * each of them once.
 */
export function unknownPlatforms(
  posts: readonly ResolvedPost[],
  networks: ServiceNetworks,
  aliases: Aliases,
  isWanted: (name: string) => boolean = () => true,
): Problem[] {
  const seen = new Set<string>();
  const isNew = ({ series }: ResolvedPost, name: string): boolean =>
    series === undefined || seen.size < seen.add(JSON.stringify([series.row, name])).size;
  return posts.flatMap((post) =>
    post.platforms
      .filter((name) => !networks.known.has(name) && isWanted(name) && isNew(post, name))
      .map((name) =>
        problem("platform/unknown", unknownMessage(name, networks, aliases), post.at("platforms")),
      ),
  );
}

/** Problems for the networks on which `accounts:` of plancast.yaml has several accounts, if rows name none of them. */
export function ambiguousPlatforms(posts: readonly ResolvedPost[], config: Config): Problem[] {
  const names = Object.keys(config.accounts);
  const known = new Set(names.map((name) => accountPlatform(name, config.accounts)));
  return unknownPlatforms(
    posts,
    { known, inactive: new Set() },
    aliasesOf(config),
    (name) => severalAccounts(name, known) !== undefined,
  );
}

/** Problems for accounts in `options:` that the service does not have. A network may lack accounts: several projects may share the settings. */
export function unknownAccounts({ config, file }: Project, known: ReadonlySet<string>): Problem[] {
  return Object.keys(config.options ?? {}).flatMap((name) => {
    const platform = identify(name, SERVICE_NAMES);
    const network = networkOf(platform);
    const accounts = [...known].filter((each) => networkOf(each) === network).sort();
    if (accounts.length === 0 || platform === network || known.has(platform)) return [];
    return [
      problem("platform/settings", unknownAccountText(name, accounts, nearest(platform, accounts)), { file }),
    ];
  });
}

/** What to do if a calendar names a network on which the service has several accounts; otherwise undefined. */
export function severalAccounts(name: string, known: ReadonlySet<string>): string | undefined {
  const accounts = [...known].filter((each) => each.startsWith(`${name}/`)).sort();
  return accounts.length === 0
    ? undefined
    : `The service has several accounts on ${name}. Name one of them: ${accounts.join(", ")}.`;
}

function unknownMessage(name: string, { known, inactive }: ServiceNetworks, aliases: Aliases): string {
  // Another account must not get the post instead.
  if (inactive.has(name))
    return `The account ${name} is disabled or has lost its connection to the service, so the service publishes nothing there. Enable or connect it again there, or take ${name} out of the row.`;
  const usable = [...aliases].filter(([, identifier]) => known.has(identifier)).map(([alias]) => alias);
  const network = networkNamed(name);
  const same = network && [...known].find((each) => networkNamed(each) === network);
  if (same !== undefined)
    return `The service calls "${name}" "${same}". Set \`platforms: { ${yamlKey(name)}: ${same} }\` in plancast.yaml.`;
  const several = severalAccounts(name, known);
  if (several !== undefined) return several;
  const [own = ""] = name.split("/", 1);
  if (own !== name && known.has(own))
    return `The service has only one account on ${own} now, and calendars call it ${own}. If you mean that account, write "${own}" instead of "${name}". If you mean another one, connect it again.`;
  const near = nearest(name, [...known, ...usable]);
  const list = known.size === 0 ? "none" : [...known].sort().join(", ");
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return `The service has no connected platform "${name}".${hint} Connected: ${list}.`;
}
