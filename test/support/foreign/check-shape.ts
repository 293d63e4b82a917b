import type { Paging } from "./paging.ts";
import type { Shape } from "./shape.ts";

/** Throws for a service that could not be: a test that asks for one tests something else than it says. */
export function checkShape(shape: Shape, { paging }: Paging): void {
  const besideTheList =
    paging === "next-url" ||
    paging === "next-cursor" ||
    shape.listTotal !== undefined ||
    shape.listHasMore !== undefined ||
    shape.pagingIn !== undefined ||
    Object.keys(shape.listExtras).length > 0;
  if (shape.list.length === 0 && besideTheList) {
    throw new Error("A list that is a bare array has nothing beside it: no next page, no total, no extras.");
  }
  if (shape.statusFilter === "ignored" && shape.omit.includes("status")) {
    throw new Error("Where the filter is ignored and no status is told, nobody can say what is scheduled.");
  }
  if (shape.times.length === 0) throw new Error("There is at least one time format.");
}
