/** How a next page is told, where decoding cannot follow it. */
import type { ServiceShape } from "../calendar/service-shape.ts";
import { pathText } from "../calendar/shape-path.ts";
import { isObject, UNFOLLOWED_KEYS } from "../service/decode-list.ts";
import type { Json } from "../service/records.ts";

/** Nobody tells of pages further down than this. */
const DEEPEST_PAGING = 4;

/** A next page that is named in a way that decoding cannot follow. */
export function nextIn(body: unknown): Pick<ServiceShape, "next" | "next_as"> {
  const holders = isObject(body) ? [{ path: [], holder: body }, ...objectsIn(body)] : [];
  for (const { path, holder } of holders) {
    const key = UNFOLLOWED_KEYS.find((each) => ["string", "number"].includes(typeof holder[each]));
    const value = key === undefined ? "" : holder[key];
    if (key === undefined || value === "" || /^(https?:\/\/|[/?])/.test(String(value))) continue;
    return { next: pathText([...path, key]), next_as: parameterFor(key) };
  }
  return {};
}

function objectsIn(body: Json, path: readonly string[] = []): { path: string[]; holder: Json }[] {
  if (path.length >= DEEPEST_PAGING) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (!isObject(value)) return [];
    const here = [...path, key];
    return [{ path: here, holder: value }, ...objectsIn(value, here)];
  });
}

/** As services mostly call it: `next_page_token` goes back as `page_token`, `nextPage` as `page`. */
function parameterFor(key: string): string {
  const rest = key.replace(/^next_?/i, "");
  return rest === "" ? "cursor" : rest.charAt(0).toLowerCase() + rest.slice(1);
}
