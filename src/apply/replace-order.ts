import { utcMs } from "../calendar/canonical.ts";
import type { UtcTime } from "../calendar/post.ts";

/** A post due within this time could be published between the two halves of its replacement, ms. */
const TOO_NEAR_MS = 2 * 60_000;

/**
 * Which half of a replacement goes first. Create first leaves the old post standing when the service refuses the new
 * one. An old post that is due very soon must go first, or both could be published.
 * @param oldDue when the old post is due, as far as anybody says
 */
export function replaceOrder(oldDue: UtcTime | undefined, now: number): "create-first" | "cancel-first" {
  return oldDue !== undefined && utcMs(oldDue) - now < TOO_NEAR_MS ? "cancel-first" : "create-first";
}
