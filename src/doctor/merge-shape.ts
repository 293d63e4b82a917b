/** What a project's `service.shape` says already, with what was found; what leads nowhere gives way. */
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { stepsOf, valueAtPath } from "../calendar/shape-path.ts";
import { isObject, itemsIn } from "../service/decode-list.ts";
import { isReadAsUsual } from "./suggest-fields.ts";
import type { Answers } from "./suggest-shape.ts";
import { definedFields, withFields } from "./with-fields.ts";

/** @param found of these answers, as if the project had no shape */
export function mergeMapping(
  found: ResponseMapping,
  said: ResponseMapping,
  answers: Answers,
): ResponseMapping {
  const { posts, single, platforms } = answers;
  const isRecord = (path: string): boolean => single === undefined || isObject(at(single, path));
  const lists = [posts, platforms].filter((body) => body !== undefined);
  const isList = (path: string): boolean => lists.length === 0 || lists.some((body) => isListIn(body, path));
  const places = mergeFields(placesIn(found), placesIn(said), (field, path) =>
    field === "list" ? isList(path) : isRecord(path),
  );
  const { list: _list, record: _record, ...others } = { ...found, ...said };
  const fields = (name: "post" | "platform" | "media" | "automation", body: unknown) => {
    const list = said[name]?.list ?? found[name]?.list ?? places.list;
    const items = itemsAt(body, list);
    return mergeFields(found[name] ?? {}, said[name] ?? {}, (field, path) => {
      if (field === "list") return isListIn(body, path);
      if (field === "record") return isRecord(path);
      if (items.length === 0 || items.some((item) => at(item, path) !== undefined)) return true;
      // Nothing stands there. Where nothing better is known, it may be of use for other records.
      const isUsual = name === "post" && items.every((item) => isReadAsUsual(field, item));
      return !Object.hasOwn(found[name] ?? {}, field) && !isUsual;
    });
  };
  return {
    ...places,
    ...others,
    ...withFields("post", fields("post", posts)),
    ...withFields("platform", fields("platform", platforms)),
    ...withFields("media", fields("media", answers.media)),
    ...withFields("automation", fields("automation", answers.automations)),
    ...withFields("status", { ...found.status, ...said.status }),
  };
}

function placesIn({ list, record }: ResponseMapping): Pick<ResponseMapping, "list" | "record"> {
  return definedFields({ list, record });
}

/** What was found, and over it what was said and leads somewhere. */
function mergeFields<Fields extends object>(
  found: Fields,
  said: Fields,
  leads: (field: string, path: string) => boolean,
): Fields {
  const kept = Object.entries(said).filter(([field, path]) => typeof path === "string" && leads(field, path));
  return { ...found, ...Object.fromEntries(kept) };
}

function isListIn(body: unknown, path: string): boolean {
  return body === undefined || Array.isArray(at(body, path));
}

function itemsAt(body: unknown, path: string | undefined): readonly Record<string, unknown>[] {
  const found = path === undefined ? itemsIn(body) : at(body, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

function at(value: unknown, path: string): unknown {
  return valueAtPath(value, stepsOf(path));
}
