/**
 * `service.post_settings` of plancast.yaml: what a network needs to know besides the parts of a post, such as the board
 * of a pin. They are not in rows, so changing one changes no scheduled post.
 */

import { identify } from "../checks/networks/network-names.ts";
import { longTitleText, missingSettingsText } from "../problems/plan-texts.ts";
import type { Config } from "../settings/config.ts";
import type { Json } from "./records.ts";

/** What a service requires for a network. */
export interface RequiredSettings {
  readonly names: readonly string[];
  /** The maximum number of characters of `title`. */
  readonly maxTitle?: number;
}

const NOTHING: RequiredSettings = { names: [] };

/** In a setting: the first line of the post's text. */
const FIRST_LINE = "{first_line}";

/** Accounts have names here as in calendars: `x/brand` is `twitter/brand`. */
const NAMES = Object.assign(new Map<string, string>(), { hasServiceAccounts: true });

export class PostSettings {
  /** By network or account. */
  readonly #given: ReadonlyMap<string, Json>;

  constructor(given: Config["service"]["post_settings"] = {}) {
    this.#given = new Map(Object.entries(given).map(([name, own]) => [identify(name, NAMES), own]));
  }

  /** The settings of a post for one account, which has priority over its network; or why they are not enough. */
  of(
    { platform, network }: { readonly platform: string; readonly network: string },
    content: string,
    { names, maxTitle = Infinity }: RequiredSettings = NOTHING,
  ): { readonly settings: Json } | { readonly fault: string } {
    const [firstLine = ""] = content.split("\n").filter((line) => line.trim() !== "");
    const given = { ...this.#given.get(network), ...this.#given.get(platform) };
    const settings = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, filled(value, firstLine.trim())]),
    );
    const missing = names.filter((name) => isBlank(settings[name]));
    if (missing.length > 0) return { fault: missingSettingsText(platform, missing) };
    const { title } = settings;
    const length = typeof title === "string" ? Array.from(title).length : 0;
    return length > maxTitle ? { fault: longTitleText(platform, length, maxTitle) } : { settings };
  }
}

/** A setting with the post's first line in its texts. */
function filled(value: unknown, firstLine: string): unknown {
  if (typeof value === "string") return value.replaceAll(FIRST_LINE, () => firstLine);
  if (Array.isArray(value)) return value.map((each) => filled(each, firstLine));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, firstLine)]));
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
