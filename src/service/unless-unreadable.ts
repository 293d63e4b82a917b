import { Failure } from "../calendar/failure.ts";
import type { Listed } from "./records.ts";

/** For lists that only help: what cannot be understood is as good as not asked. Other failures end the run. */
export async function ifReadable<T>(list: Promise<Listed<T>>): Promise<Listed<T> | undefined> {
  try {
    return await list;
  } catch (error) {
    const isOnlyUnreadable =
      error instanceof Failure &&
      ["service/unreadable", "service/list-not-whole", "service/refused", "service/forbidden"].includes(
        error.code,
      );
    if (isOnlyUnreadable) return undefined;
    throw error;
  }
}
