import { Failure } from "../calendar/failure.ts";

/** What a piece of work gives, or the failure that it throws. Faults of plancast itself are thrown on. */
export async function resultOrFailure<T>(work: () => T | Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
