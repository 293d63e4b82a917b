/** `service.reserve`: what plancast leaves of each window to others who use the same key. */

/**
 * How many of `limit` requests are left alone.
 * @param reserve a count, or a share such as `20%`, as the project file's schema has it
 */
export function reserveOf(reserve: number | string, limit: number): number {
  return typeof reserve === "number" ? reserve : Math.ceil((limit * Number.parseInt(reserve, 10)) / 100);
}
