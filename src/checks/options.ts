/** The options of a row: what its cells say for each network, and what plancast.yaml says for all rows. */

import type { Carried } from "../model/options/carried.ts";
import {
  type PostOption,
  ALL_NETWORKS,
  CATALOGUE,
  OPTION_NAMES,
  networkOf,
  optionFacts,
  optionText,
  readOption,
  splitOption,
} from "../model/options/catalogue.ts";
import { didYouMean, nearest } from "../model/text.ts";
import { type Problem, problem } from "../model/problem.ts";
import { carriedBy } from "../settings/carried-options.ts";
import type { Config } from "../settings/config.ts";
import { type Aliases, SERVICE_NAMES, identify } from "./networks/network-names.ts";
import { readOptionValue, writtenValue } from "./option-values.ts";
import type { RowView } from "./row-view.ts";
import { unusedValue } from "./variants.ts";

/** What a project says about options. */
export interface ProjectOptions {
  /** `options:` of plancast.yaml. */
  readonly defaults: readonly PostOption[];
  /** What its service carries; undefined if that is not known. */
  readonly carried: Carried | undefined;
}

type OptionSettings = Partial<Pick<Config, "options" | "service" | "accounts">>;

export function projectOptions(config: OptionSettings): ProjectOptions {
  return { defaults: defaultOptions(config).options, carried: carriedBy(config) };
}

/** A fault in `options:` of plancast.yaml. */
interface DefaultFault {
  readonly path: readonly [network: string, option: string];
  readonly message: string;
}

/** The options that plancast.yaml sets, and their faults. */
export function defaultOptions({ options = {} }: Pick<OptionSettings, "options">): {
  readonly options: readonly PostOption[];
  readonly faults: readonly DefaultFault[];
} {
  const found: PostOption[] = [];
  const faults: DefaultFault[] = [];
  for (const [name, own] of Object.entries(options)) {
    const platform = identify(name, SERVICE_NAMES);
    for (const [option, given] of Object.entries(own)) {
      const facts = optionFacts(platform, option);
      const read =
        facts === undefined
          ? { why: unknownOption(`${platform}.${option}`) }
          : readOptionValue(facts, writtenValue(facts, given), `${platform}.${option}`);
      if ("why" in read) faults.push({ path: [name, option], message: read.why });
      else found.push({ platform, option, value: read.value });
    }
  }
  return { options: found, faults };
}

/** An option of a row on one of its platforms. */
export interface RowOption extends PostOption {
  /** Index in the row's cell, or `type` for the row's type; undefined for one of plancast.yaml. */
  readonly item: number | "type" | undefined;
}

const NONE: readonly RowOption[] = [];

/**
 * The options of a row on its platforms. What the row says has priority over plancast.yaml, and there an account over its
 * network. @param ofType what the type of the row means
 */
export function readOptions(
  row: RowView,
  platforms: readonly string[],
  { aliases, options: { defaults } }: { readonly aliases: Aliases; readonly options: ProjectOptions },
  problems: Problem[],
  ofType: readonly RowOption[] = NONE,
): readonly RowOption[] {
  const cell = row.values.options;
  if (cell === undefined && defaults.length + ofType.length === 0) return NONE;
  const found = new Map<string, RowOption>();
  const add = (option: RowOption): unknown => found.set(`${option.platform}.${option.option}`, option);
  for (const isAccount of [false, true])
    for (const each of defaults.filter(({ platform }) => platform.includes("/") === isAccount))
      for (const platform of platforms.filter((name) => isOn(each.platform, name)))
        add({ ...each, platform, item: undefined });
  const items = cell === undefined ? [] : cell.isList ? cell.items : cell.written.split("\n");
  for (const [item, text] of items.entries()) {
    if (text.trim() === "") continue;
    const read = readItem(text, platforms, aliases);
    if ("code" in read) problems.push(problem(read.code, read.message, cell?.at(item)));
    else for (const each of read.options) add({ ...each, item });
  }
  for (const each of ofType) {
    const own = found.get(`${each.platform}.${each.option}`);
    if (typeof own?.item === "number" && own.value !== each.value) {
      const message = `The type of the row is ${each.value}, but its option says ${own.value}. Keep one of them.`;
      problems.push(problem("row/option", message, cell?.at(own.item)));
    } else add(each);
  }
  return [...found.values()].sort((one, other) => (optionText(one) < optionText(other) ? -1 : 1));
}

/** Options of a row that none of its networks has. */
export function unusedOptions(row: RowView, platforms: readonly string[], aliases: Aliases): Problem[] {
  const cell = row.own.options;
  if (cell?.isList !== true) return [];
  return cell.items.flatMap((text, item) => {
    const name = readOption(text)?.platform;
    const target = name === undefined || name === ALL_NETWORKS ? undefined : identify(name, aliases);
    if (target === undefined || platforms.some((platform) => isOn(target, platform))) return [];
    return [unusedValue(name ?? target, target, platforms, cell.at(item))];
  });
}

/** Whether a network, or an account, is the one of a platform. */
function isOn(target: string, platform: string): boolean {
  return target === platform || target === networkOf(platform);
}

interface ItemFault {
  readonly code: "row/option";
  readonly message: string;
}

function readItem(
  text: string,
  platforms: readonly string[],
  aliases: Aliases,
): { readonly options: readonly PostOption[] } | ItemFault {
  const given = readOption(text.trim());
  if (given === undefined)
    return {
      code: "row/option",
      message: `"${text}" is not an option, such as \`mastodon.visibility: unlisted\`.`,
    };
  const { platform: name, option, value: written } = given;
  const isForAll = name === ALL_NETWORKS;
  const target = isForAll ? name : identify(name, aliases);
  const facts = optionFacts(target, option);
  if (facts === undefined) return { code: "row/option", message: unknownOption(`${name}.${option}`) };
  const options: PostOption[] = [];
  const targets = platforms.filter((each) => isForAll || isOn(target, each));
  const isEnough =
    facts.isOnlySome === true && targets.some((each) => optionFacts(each, option) !== undefined);
  for (const platform of targets) {
    const own = optionFacts(platform, option);
    const isOwn = isForAll && own !== undefined;
    const read = readOptionValue(own ?? facts, written, `${isOwn ? platform : name}.${option}`);
    if ("why" in read) return { code: "row/option", message: read.why };
    // A network without the option loses nothing by the usual value.
    if (own !== undefined || (read.value !== facts.usual && !isEnough))
      options.push({ platform, option, value: read.value });
  }
  return { options };
}

function unknownOption(name: string): string {
  const { platform = "", option = "" } = splitOption(name) ?? {};
  const own = Object.keys(CATALOGUE[networkOf(platform)]?.options ?? {});
  const near = nearest(option, own);
  const way =
    didYouMean(near === undefined ? nearest(name, OPTION_NAMES) : `${platform}.${near}`) ||
    (own.length === 0
      ? " docs/write/options.md lists the options of each network."
      : ` The options of ${networkOf(platform)} are ${own.join(", ")}.`);
  return `There is no option \`${name}\`.${way}`;
}

/** In a value: the first line of the post's text. */
const FIRST_LINE = "{first_line}";

/** An option as its post holds it. @param content of the post */
export function filledOption({ platform, option, value }: RowOption, content: string): string {
  const [line = ""] = content.split("\n").filter((each) => each.trim() !== "");
  const isData = optionFacts(platform, option)?.kind === "data";
  const first = isData ? JSON.stringify(line.trim()).slice(1, -1) : line.trim();
  return optionText({ platform, option, value: value.replaceAll(FIRST_LINE, () => first) });
}
