/**
 * A schedule in two files. Apply writes `plancast.schedule.json`. Publish writes the posts that it changed since then into
 * `plancast.published.json`, so that its commits grow with these posts, and not with the schedule. Apply puts them back
 * into the first file, and so does publish when there are many. Pure.
 *
 * | the post in the first file | in the second file        | what counts |
 * | -------------------------- | ------------------------- | ----------- |
 * | any                        | none                      | the first |
 * | the same, besides results  | any                       | the second, because it is newer |
 * | another one, or none       | may be published in part  | the second: it stays as it was sent |
 * | another one, or none       | certainly not published   | the first: apply changed or cancelled it |
 */

import { isSameJson } from "../model/data.ts";
import { getOwn } from "../model/lockfile.ts";
import { withoutOld } from "./claims.ts";
import {
  type Schedule,
  EMPTY_SCHEDULE,
  PUBLISHED_FILE,
  isBegun,
  isSameDecision,
  parseSchedule,
  readable,
  scheduleText,
} from "./schedule.ts";

/** The texts of both files. A blank text is an empty schedule. */
export interface ScheduleTexts {
  readonly schedule: string;
  readonly published: string;
}

/** Both files as they were read. */
export interface ScheduleLayers {
  readonly texts: ScheduleTexts;
  readonly schedule: Schedule;
  readonly published: Schedule;
}

/** What publish changes before it puts it back into the first file: this many posts, and this part of the schedule. */
const MANY_CHANGED = 200;
const PART_CHANGED = 0.1;

/** Throws a Failure like `parseSchedule`. */
export function parseLayers(texts: ScheduleTexts, now?: number): ScheduleLayers {
  const schedule = parseSchedule(texts.schedule, now);
  return { texts, schedule, published: parseSchedule(texts.published, now, PUBLISHED_FILE) };
}

/** What counts of both. */
export function joinLayers({ schedule, published }: Omit<ScheduleLayers, "texts">): Schedule {
  const newer = Object.entries(published.posts).filter(([id, post]) => {
    const known = getOwn(schedule.posts, id);
    return (known !== undefined && isSameDecision(known, post)) || isBegun(post);
  });
  return newer.length === 0
    ? schedule
    : { ...schedule, posts: { ...schedule.posts, ...Object.fromEntries(newer) } };
}

/** One text for both files. What plancast did not write says nothing. */
export function joinedText({ schedule, published }: ScheduleTexts): string {
  const { posts } = readable(published);
  if (Object.keys(posts).length === 0) return schedule;
  return scheduleText(joinLayers({ schedule: readable(schedule), published: readable(published) }));
}

/**
 * The texts after apply wrote the schedule. Claims stay in the second file, too: a merge then sees that publish, and nobody
 * else, went on with them.
 */
export function appliedTexts(next: Schedule, { texts, published }: ScheduleLayers): ScheduleTexts {
  const claimed = Object.keys(published.posts).flatMap((id) => {
    const post = getOwn(next.posts, id);
    const isClaimed = Object.values(post?.publications ?? {}).some(({ state }) => state === "sending");
    return post !== undefined && isClaimed ? [[id, post] as const] : [];
  });
  const left = scheduleText({ ...EMPTY_SCHEDULE, posts: Object.fromEntries(claimed) });
  return { schedule: scheduleText(next), published: texts.published === "" ? "" : left };
}

/** The texts after publish changed the schedule. @param now ms */
export function publishedTexts(
  next: Schedule,
  { texts: before, schedule }: ScheduleLayers,
  now: number,
): ScheduleTexts {
  const changed = Object.entries(next.posts).filter(([id, post]) => {
    const known = getOwn(schedule.posts, id);
    return post !== known && !isSameJson(post, known);
  });
  if (changed.length > Math.max(MANY_CHANGED, PART_CHANGED * Object.keys(next.posts).length))
    return { schedule: scheduleText(withoutOld(next, now)), published: scheduleText(EMPTY_SCHEDULE) };
  if (changed.length === 0 && before.published === "") return before;
  return { ...before, published: scheduleText({ ...next, posts: Object.fromEntries(changed) }) };
}
