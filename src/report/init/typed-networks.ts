/** The networks in what people type. */

import { nearestNetwork, networksIn } from "../../checks/networks/network-names.ts";
import { didYouMean } from "../../model/text.ts";

/** The networks of a text as people type them, in their order; none if plancast does not know one of its words. */
export function networksTyped(text: string): string[] {
  const found = text
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => networksIn(part, NO_ALIASES) ?? []);
  return found.some((each) => each.length === 0) ? [] : [...new Set(found.flat())];
}

/** A network, `skip`, or a name that only the service knows. A number is probably the number of an answer. */
export function nameForService(text: string): readonly string[] {
  const name = text.trim().toLowerCase();
  const isName = /^[a-z0-9][a-z0-9_.-]{0,39}$/.test(name) && !/^\d+$/.test(name);
  const known = networksTyped(text);
  if (known.length > 0) return known;
  return isName && (name === "skip" || nearestNetwork(name, NO_ALIASES) === undefined) ? [name] : [];
}

/** About a text that names no network. */
export function unknownNetwork(text: string): string | undefined {
  if (text.trim() === "") return "Type at least one network.";
  const parts = text.toLowerCase().split(/[,;\s]+/);
  const unknown = parts.find((part) => part !== "" && networksIn(part, NO_ALIASES) === undefined);
  if (unknown === undefined) return undefined;
  return `"${unknown}" is not a network that plancast knows.${didYouMean(nearestNetwork(unknown, NO_ALIASES))}`;
}

const NO_ALIASES = new Map<string, string>();
