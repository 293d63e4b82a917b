import { expect, test } from "vitest";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import { type PruneInput, pruneMediaCache } from "../../../src/sync/plan/next-lockfile.ts";
import { lockfile, owned, post, remote } from "../../support/rows.ts";

const entry = (id: string, also?: string[]): Lockfile["media"][string] => ({
  id,
  type: "image",
  bytes: 1,
  path: `${id}.png`,
  ...(also === undefined ? {} : { also }),
});
const attempt = {
  fingerprint: "sha256:-",
  attempted_at: "2029-12-31T23:59:30Z",
  scheduled_at: post().scheduledAt,
  content: "",
  platforms: [],
  media_ids: ["media_1"],
  file: "calendars/a.csv",
};

/** Whether plancast removes the only entry, or keeps it because a post uses it or the service has it. */
function result(media: Lockfile["media"][string], given: Partial<PruneInput>): string | undefined {
  const known = { ...(given.lockfile ?? lockfile()), media: { aa: media } };
  const forgotten = pruneMediaCache({ library: new Set(), posts: [], ...given, lockfile: known });
  if (forgotten === undefined) return undefined;
  const { pruned, inUse } = forgotten;
  expect(Object.keys(forgotten.lockfile.media)).toEqual(pruned.length > 0 ? [] : ["aa"]);
  return pruned.length > 0 ? "forgotten" : inUse > 0 ? "in use" : "kept";
}

test.each<[string, string, Partial<PruneInput>, string[]?]>([
  ["in the library", "kept", { library: new Set(["media_1"]) }],
  ["in the library under its other id", "kept", { library: new Set(["media_2"]) }, ["media_2", "media_3"]],
  ["nowhere", "forgotten", {}],
  ["in a scheduled post", "in use", { posts: [remote({ mediaIds: ["media_1", "media_9"] })] }],
  [
    "in a scheduled post under its other id",
    "in use",
    { posts: [remote({ mediaIds: ["media_2"] })] },
    ["media_2", "media_3"],
  ],
  ["in a create in doubt", "in use", { lockfile: lockfile({}, { unknown: { launch: attempt } }) }],
  ["only in a post that shows no media", "forgotten", { posts: [{ id: "post_9" }] }],
])("a media file %s is %s", (_where, expected, given, also) => {
  expect(result(entry("media_1", also), given)).toBe(expected);
});

test("removes no media if the service does not show the media of the project's posts", () => {
  const known = lockfile({ launch: owned("post_1") });
  expect(result(entry("media_1"), { lockfile: known, posts: [{ id: "post_1" }] })).toBeUndefined();
});

test("lists the removed media", () => {
  const media = { aa: entry("media_1"), bb: entry("media_2") };
  const forgotten = pruneMediaCache({
    lockfile: lockfile({}, { media }),
    library: new Set(["media_2"]),
    posts: [],
  });
  expect(forgotten).toEqual({
    lockfile: lockfile({}, { media: { bb: media.bb } }),
    pruned: [{ sha256: "aa", id: "media_1", path: "media_1.png" }],
    inUse: 0,
  });
});
