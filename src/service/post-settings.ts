/**
 * `service.post_settings` of plancast.yaml: what a network needs to know besides the parts of a post, such as the board
 * of a pin. They are not in rows, so changing one changes no scheduled post.
 */

import { SERVICE_NAMES, identify } from "../checks/networks/network-names.ts";
import { longTitleText, missingSettingsText } from "../problems/plan-texts.ts";
import type { Config } from "../settings/config.ts";
import type { Account } from "./account-names.ts";
import type { Json } from "./records.ts";
import type { PostDraft } from "./service.ts";

/** What a service requires for a network. */
export interface NetworkSettings {
  /** Settings that only the team can know. */
  readonly names?: readonly string[];
  /** Settings for which nearly everybody wants the same. */
  readonly usual?: Json;
  /** The maximum number of characters of `title`. */
  readonly maxTitle?: number;
}

/** In a setting: the first line of the post's text. */
const FIRST_LINE = "{first_line}";

export class PostSettings<Of extends Account> {
  /** By network or account. */
  readonly #given: ReadonlyMap<string, Json>;
  readonly #required: (account: Of) => NetworkSettings | undefined;

  constructor(
    given: Config["service"]["post_settings"],
    required: (account: Of) => NetworkSettings | undefined,
  ) {
    this.#given = new Map(
      Object.entries(given ?? {}).map(([name, own]) => [identify(name, SERVICE_NAMES), own]),
    );
    this.#required = required;
  }

  /** The settings of a post for one account, which has priority over its network. */
  of(account: Of, content: string): Json {
    const { platform, network } = account;
    const { usual } = this.#required(account) ?? {};
    const [firstLine = ""] = content.split("\n").filter((line) => line.trim() !== "");
    const given = { ...usual, ...this.#given.get(network), ...this.#given.get(platform) };
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, filled(value, firstLine.trim())]),
    );
  }

  /** Why the settings of a post are not enough; undefined if they are. */
  whyNot(
    accounts: readonly Of[],
    { platforms, content }: Pick<PostDraft, "platforms" | "content">,
  ): string | undefined {
    for (const account of accounts.filter(({ platform }) => platforms.includes(platform))) {
      const { names = [], maxTitle = Infinity } = this.#required(account) ?? {};
      const settings = this.of(account, content);
      const missing = names.filter((name) => isBlank(settings[name]));
      if (missing.length > 0) return missingSettingsText(account.platform, missing);
      const { title } = settings;
      const length = typeof title === "string" ? Array.from(title).length : 0;
      if (length > maxTitle) return longTitleText(account.platform, length, maxTitle);
    }
    return undefined;
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
