/** `plancast status --format csv`: how many posts each network and campaign had in each month, for a spreadsheet. */

import { guarded } from "../../calendars/columns/formula-guard.ts";
import { csvText } from "../../calendars/write/csv.ts";
import { groupBy } from "../../model/data.ts";
import { type RowState, type RowStatus, ROW_STATES } from "../../model/publication.ts";
import { compareText } from "../../model/text.ts";
import { sortableTime } from "../text/local-time.ts";
import { type StatusReport, shownRows } from "./status-summary.ts";

/** A post on one network. */
interface NetworkPost {
  /** `2027-03`, in the project's zone. */
  readonly month: string;
  /** Blank if the row of the post is gone, and the service does not show its platforms. */
  readonly network: string;
  readonly campaign: string;
  readonly state: RowState;
}

const HEADER = ["month", "network", "campaign", "posts", ...ROW_STATES];

/** @param timezone in which months begin, IANA */
export function statusCsv(report: StatusReport, timezone: string): string {
  const posts = shownRows(report).flatMap((row) => networkPosts(row, timezone));
  const groups = groupBy(posts, ({ month, network, campaign }) => JSON.stringify([month, network, campaign]));
  const lines = [...groups.values()].map((group) => lineOf(group));
  return csvText([HEADER, ...lines.sort((one, other) => compareText(one.join("\0"), other.join("\0")))]);
}

function networkPosts(row: RowStatus, timezone: string): readonly NetworkPost[] {
  const { scheduledAt, platforms, campaign = "", results, state } = row;
  const month = sortableTime(scheduledAt, timezone).date.slice(0, "2027-03".length);
  const names = platforms.length === 0 ? [""] : platforms;
  return names.map((network) => {
    const own = results.find(({ platform }) => platform === network);
    return { month, network, campaign, state: own?.state ?? state };
  });
}

function lineOf(group: readonly NetworkPost[]): readonly string[] {
  const [{ month, network, campaign } = NOTHING] = group;
  const counts = ROW_STATES.map((state) => group.filter((each) => each.state === state).length);
  return [month, guarded(network), guarded(campaign), String(group.length), ...counts.map(String)];
}

const NOTHING = { month: "", network: "", campaign: "" };
