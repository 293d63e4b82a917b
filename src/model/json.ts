/** JSON values, and objects that are written as JSON. */

import { compareText } from "./text.ts";

/** Whether a JSON value is an object: not null, and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** An object without its undefined properties: absent is not the same as empty. */
export function withoutUndefined<T extends object>(given: T): WithoutUndefined<T> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return Object.fromEntries(present) as WithoutUndefined<T>;
}

/** For JSON.stringify: objects with sorted keys. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareText(one, other)));
}
