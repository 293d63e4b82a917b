import type { Config } from "../calendar/config.ts";
import { durationMs } from "../calendar/duration.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { DiffInput } from "./diff.ts";
import { settle } from "./settle.ts";

/**
 * The three sides that are compared.
 * @param desired the calendars' posts, and which calendars the run is about
 * @param lockfile as it was read
 * @param remote the service's side, shown whole
 * @param now ms since the epoch
 */
export function diffInput(
  safety: Config["safety"],
  desired: { readonly posts: DiffInput["desired"]; readonly inScope: DiffInput["inScope"] },
  lockfile: Lockfile,
  remote: { readonly posts: DiffInput["remote"]; readonly absent: DiffInput["absent"] },
  now: number,
): DiffInput {
  return {
    desired: desired.posts,
    lockfile: settle(lockfile, remote.posts),
    remote: remote.posts,
    absent: remote.absent,
    now,
    leadTimeMs: durationMs(safety.lead_time),
    settleMs: durationMs(safety.settle),
    inScope: desired.inScope,
  };
}
