/** Puts the handles of a network in place of the names that a text mentions. Pure. */

import type { Mentions } from "../../settings/calendar-settings.ts";
import { type Aliases, identify } from "../networks/network-names.ts";

/** Handles on one network, with `@`, by the name in texts in lower case, with `@`. */
export type Handles = ReadonlyMap<string, string>;

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
