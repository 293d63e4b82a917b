/** Other networks for a row, in the names and with the separators of its cell, otherwise of its column. Pure. */

import { type Aliases, LEFT_OUT } from "../../checks/networks/network-names.ts";
import { PLATFORM_SEPARATOR, platformsNamed } from "../../checks/platforms.ts";
import type { Cell, RawRow } from "../../model/row.ts";

/**
 * The cell with exactly these networks. Names that remain keep their spelling. New names follow.
 * @param wanted identifiers
 * @param siblings other rows of the calendar, which show how it writes names
 */
export function networksCell(
  cell: Cell | undefined,
  wanted: readonly string[],
  aliases: Aliases,
  siblings: readonly RawRow[],
): Cell {
  const others = siblings.flatMap((row) => cellsOf(row.cells.platforms));
  const own = typeof cell === "object" ? cell : partsOf(cell ?? "");
  const kept = own.flatMap((typed) => {
    const means = platformsNamed(typed, aliases) ?? [];
    if (means.every((name) => wanted.includes(name) || name === LEFT_OUT)) return [typed];
    return means.filter((name) => wanted.includes(name)).map((name) => usualName(name, others, aliases));
  });
  const named = new Set(kept.flatMap((typed) => platformsNamed(typed, aliases) ?? []));
  const added = wanted.filter((name) => !named.has(name)).map((name) => usualName(name, others, aliases));
  const names = [...new Set([...kept, ...added])];
  if (typeof cell === "object") return names;
  const separator = separatorIn(cell ?? "") ?? others.map(separatorIn).find((each) => each !== undefined);
  return names.join(separator ?? ", ");
}

function cellsOf(cell: Cell | undefined): readonly string[] {
  return typeof cell === "string" ? [cell] : (cell ?? []);
}

function partsOf(text: string): readonly string[] {
  return text
    .split(PLATFORM_SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The first separator with the spaces around it; undefined if there is none. */
function separatorIn(cell: string): string | undefined {
  const text = cell.trim();
  const at = text.search(PLATFORM_SEPARATOR);
  if (at === -1) return undefined;
  const rest = text.slice(at + 1);
  return text.slice(text.slice(0, at).trimEnd().length, text.length - rest.trimStart().length);
}

/** What the calendar calls a network most often, otherwise the project, otherwise plancast. */
function usualName(name: string, others: readonly string[], aliases: Aliases): string {
  const counts = new Map<string, number>();
  for (const typed of others.flatMap(partsOf)) {
    const means = platformsNamed(typed, aliases);
    if (means?.length === 1 && means[0] === name) counts.set(typed, (counts.get(typed) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const alias = [...aliases].find(([, target]) => target === name);
  return most?.[0] ?? alias?.[0] ?? name;
}
