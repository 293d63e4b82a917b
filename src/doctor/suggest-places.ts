/** Where the lists and a single record stand, as far as decoding does not find them by itself. */
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { pathText, stepsOf, valueAtPath } from "../calendar/shape-path.ts";
import { itemsIn } from "../service/decode-list.ts";
import { idIn, recordIn } from "../service/record.ts";
import type { Json } from "../service/records.ts";
import type { FoundPosts } from "./find-records.ts";
import { pathToRecord, type FoundList } from "./json-leaves.ts";
import { withFields } from "./with-fields.ts";

/** Undefined where the list is found without being told. */
export function listPath(body: unknown, found: FoundList | undefined): string | undefined {
  if (found === undefined) return undefined;
  const usual = itemsIn(body);
  return usual !== undefined && usual.length >= found.items.length && usual[0] === found.items[0]
    ? undefined
    : pathText(found.path);
}

/** One place for all lists, where they share it. */
export function placeOf(posts: string | undefined, accounts: string | undefined): ResponseMapping {
  if (posts !== undefined && posts === accounts) return { list: posts };
  return { ...withFields("post", { list: posts }), ...withFields("platform", { list: accounts }) };
}

export function recordPath(
  body: unknown,
  { guessed }: FoundPosts,
  { id }: NonNullable<ResponseMapping["post"]>,
): string | undefined {
  const steps = id === undefined ? undefined : stepsOf(id);
  const idOf = (record: Json): unknown => (steps === undefined ? idIn(record) : valueAtPath(record, steps));
  const known = new Set(guessed.get("id")?.byItem.flat().map(String));
  const isIt = (record: Json): boolean => {
    const found = idOf(record);
    return (typeof found === "string" || typeof found === "number") && known.has(String(found));
  };
  const usual = recordIn(body, (record) => ({ ...record, id: idOf(record) }));
  if (usual !== undefined && isIt(usual)) return undefined;
  const path = pathToRecord(body, isIt);
  return path === undefined || path.length === 0 ? undefined : pathText(path);
}
