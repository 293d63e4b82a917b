/** When nearly every row of a long calendar is due: a plain day in `date`, a plain time in `time`, and nothing to weigh. */
import { wallMs } from "../calendar/canonical.ts";
import { findZone } from "../calendar/zone.ts";
import type { RowView } from "./row-view.ts";
import { readPlainForm } from "./when/read-when.ts";
import { constantOffset } from "./zone-offset.ts";

/** Ms since the epoch; undefined where the row says it in any other way, or says what needs a closer look. */
export function simpleDueTime(row: RowView): number | undefined {
  const { scheduled_at: both, date, time } = row.row.cells;
  if (both !== undefined || typeof date !== "string" || typeof time !== "string") return undefined;
  const dated = readPlainForm(date);
  const timed = readPlainForm(time);
  // A cell that says both may contradict the other one.
  if (dated?.day === undefined || dated.time !== undefined) return undefined;
  if (timed?.time === undefined || timed.day !== undefined) return undefined;
  const name = row.value("timezone");
  const zone = name === undefined ? undefined : findZone(name.written);
  const { year, month, day } = dated.day;
  const { hour, minute, second } = timed.time;
  const wall = wallMs([year, month, day, hour, minute, second]);
  const offset = zone === undefined || wall === undefined ? undefined : constantOffset(zone, wall);
  return wall === undefined || offset === undefined ? undefined : wall - offset;
}
