/** The checks of `validate`, which `init FILE` runs too, so that both find the same. */

import { type CheckedCalendars, checkCalendars } from "../../calendars/check.ts";
import type { Selection } from "../../calendars/select.ts";
import type { Clock } from "../../model/clock.ts";
import type { Project } from "../../settings/config.ts";
import { hashCacheOf, openAddresses } from "../../sync/state/media-caches.ts";

/**
 * Checks without the service and without downloads.
 * @param clocks `now`: what decides which posts are past; `real`: the time for the caches of media
 */
export async function checkOffline(
  project: Project,
  selection: Selection,
  clocks: { readonly now: Clock; readonly real: Clock },
): Promise<CheckedCalendars> {
  const addresses = openAddresses(project, clocks.real);
  const hashes = hashCacheOf(project, clocks.real);
  const checked = await checkCalendars(project, selection, clocks.now, { addresses, hashes });
  await hashes.save();
  return checked;
}
