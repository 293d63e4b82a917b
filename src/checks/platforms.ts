/** Checks the platforms that rows name against those that the service knows. */

import { canonicalPlatforms } from "../model/canonical.ts";
import { nearest, tidyName } from "../model/text.ts";
import type { ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { presetNamed } from "../settings/presets/presets.ts";
import type { RowView, Value } from "./row-view.ts";

/** The form of an identifier: "a short lowercase name of a social network" (the service's interface). */
export const IDENTIFIER = /^[a-z0-9][a-z0-9_.-]{0,39}$/;

/** Aliases that people type, case-folded, each with the identifier. */
export type Aliases = ReadonlyMap<string, string>;

export function aliasesOf(platforms: Readonly<Record<string, string>>): Aliases {
  return new Map(
    Object.entries(platforms).map(([name, identifier]) => [foldPlatform(name), foldPlatform(identifier)]),
  );
}

function foldPlatform(name: string): string {
  return tidyName(name).toLowerCase();
}

interface Platforms {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

/** A row's platforms in canonical form, and the problems with them. */
export type ReadPlatforms = (row: RowView) => Platforms;

/** Reads the platforms of many rows. Values repeat in a long calendar, so each is read only once. */
export function platformReader(aliases: Aliases): ReadPlatforms {
  const known = new Map<string, Platforms>();
  return (row) => {
    const items = row.value("platforms");
    const isKnown = items?.isList === false && row.row.namesAccounts !== true;
    const text = isKnown ? items.written : undefined;
    const same = text === undefined ? undefined : known.get(text);
    if (same !== undefined) return same;
    const read = platformsOf(row, items, aliases);
    if (text !== undefined && read.problems.length === 0) known.set(text, read);
    return read;
  };
}

function platformsOf(row: RowView, items: Value | undefined, aliases: Aliases): Platforms {
  const problems: Problem[] = [];
  const names = (items?.items ?? []).flatMap((text, index) =>
    splitPlatforms(text, aliases).flatMap((typed) => {
      const name = aliases.get(typed) ?? typed;
      const wrong = platformFault(typed, name, row, aliases);
      if (wrong === undefined) return [name];
      problems.push(problem(wrong.code, wrong.message, items?.at(index)));
      return [];
    }),
  );
  if (names.length === 0 && problems.length === 0)
    problems.push(problem("row/missing-field", noPlatformMessage(row), row.at("platforms")));
  return { names: canonicalPlatforms(names), problems };
}

function platformFault(
  typed: string,
  name: string,
  { row }: RowView,
  aliases: Aliases,
): { readonly code: "platform/format" | "platform/account"; readonly message: string } | undefined {
  if (row.namesAccounts === true && row.cells.platforms !== undefined && !aliases.has(typed)) {
    const message = `"${typed}" is an account, but plancast.yaml does not say on which platform. Add \`platforms: { ${JSON.stringify(typed)}: linkedin }\`.`;
    return { code: "platform/account", message };
  }
  if (IDENTIFIER.test(name)) return undefined;
  const message = `"${name}" cannot be the name of a platform. Write names such as linkedin, separated by commas.`;
  return { code: "platform/format", message };
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

/** Separates platforms in a cell; so do blanks, unless an alias holds one. */
export const PLATFORM_SEPARATOR = /[,;|\n\r]/;

/**
 * Splits at `,` `;` `|` and line ends, then at blanks, unless an alias contains the blank. Returns folded names, as
 * typed.
 */
function splitPlatforms(text: string, aliases: Aliases): string[] {
  return text
    .split(PLATFORM_SEPARATOR)
    .map(foldPlatform)
    .flatMap((part) => (aliases.has(part) ? [part] : part.split(/\s+/u)))
    .filter((name) => name !== "");
}

/** Problems for the platforms that the service does not list, each with the nearest name or alias. */
export function unknownPlatforms(
  posts: readonly ResolvedPost[],
  known: ReadonlySet<string>,
  aliases: Aliases,
): Problem[] {
  return posts.flatMap((post) =>
    post.platforms
      .filter((name) => !known.has(name))
      .map((name) => problem("platform/unknown", unknownMessage(name, known, aliases), post.at("platforms"))),
  );
}

function unknownMessage(name: string, known: ReadonlySet<string>, aliases: Aliases): string {
  const usable = [...aliases].filter(([, identifier]) => known.has(identifier)).map(([alias]) => alias);
  const near = nearest(name, [...known, ...usable]);
  const list = known.size === 0 ? "none" : [...known].sort().join(", ");
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return `The service has no connected platform "${name}".${hint} Connected: ${list}.`;
}
