import type { Paging } from "./paging.ts";
import type { Shape } from "./shape.ts";

/** Throws for a service that cannot exist, because a test with it would not test what its name says. */
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
    throw new Error(
      "A service that ignores the filter and returns no status does not show which posts are scheduled.",
    );
  }
  if (shape.times.length === 0) throw new Error("There is at least one time format.");
}
