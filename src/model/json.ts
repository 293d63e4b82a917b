/** Values of JSON, and objects that go into them. */

/** Whether a value of JSON is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** An object without the properties that are undefined: absent is not the same as empty. */
export function withoutUndefined<T extends object>(given: T): WithoutUndefined<T> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return Object.fromEntries(present) as WithoutUndefined<T>;
}
