import { describe, expect, test } from "vitest";
import type { ResolvedMedia } from "../../../src/model/post.ts";
import type { DiffInput } from "../../../src/sync/plan/input.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";
import { planOf } from "../../support/plans.ts";
import { attempt, config, lockfile, owned, post, remote } from "../../support/rows.ts";

const image = (sha256: string): ResolvedMedia => ({
  kind: "file",
  path: `${sha256}.png`,
  sha256,
  bytes: 3,
  mime: "image/png",
});
const entry = { id: "media_1", type: "image", bytes: 3, path: "aa.png" };
const [FIRST, SECOND] = ["2030-02-01T08:00:00Z", "2030-02-02T08:00:00Z"];
const PAST = "2029-12-31T00:00:00Z";

/** The post of `key`, its own on the service. */
const other = (key: string, scheduledAt: string) => ({
  lockfile: { [key]: owned(`post_${key}`, { scheduled_at: scheduledAt }) },
  remote: remote({ id: `post_${key}`, content: key, scheduledAt }),
});

describe("the order of changes", () => {
  test("the earliest post comes first, whatever kind of change it has", () => {
    const old = other("old", SECOND);
    const edited = other("edited", SECOND);
    const { changes } = planOf({
      desired: [
        post({ key: "late" }),
        post({ key: "edited", content: "New", scheduledAt: FIRST }),
        post({ key: "early", content: "Early", scheduledAt: FIRST }),
      ],
      lockfile: lockfile({ ...old.lockfile, ...edited.lockfile }),
      remote: [old.remote, edited.remote],
    });
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      "create early",
      "replace edited",
      "cancel old",
      "create late",
    ]);
  });

  test("a post is adopted before the post that it replaced is cancelled", () => {
    const { changes, requests } = planOf({
      desired: [post({ content: "New" })],
      lockfile: lockfile({ launch: owned("post_1") }),
      remote: [remote(), remote({ id: "post_2", content: "New" })],
    });
    expect(changes.map(({ action }) => action)).toEqual(["adopt", "cancel"]);
    expect(requests).toBe(1);
  });
});

test("a plan counts its requests: one for each upload, create and cancel, two for a replacement", () => {
  const old = other("old", SECOND);
  const edited = other("edited", SECOND);
  const { uploads, requests, summary } = planOf(
    {
      desired: [
        post({ media: [image("aa"), image("bb")] }),
        post({ key: "other", content: "Other", media: [image("aa")] }),
        post({ key: "edited", content: "New", scheduledAt: FIRST }),
      ],
      lockfile: lockfile({ ...old.lockfile, ...edited.lockfile }),
      remote: [old.remote, edited.remote, remote({ id: "post_9", content: "Else" })],
    },
    { drafts: 4, skipped: 1 },
  );
  expect(uploads.map(({ path }) => path)).toEqual(["aa.png", "bb.png"]);
  expect(requests).toBe(2 + 2 + 2 + 1);
  expect(summary).toEqual({
    create: 2,
    replace: 1,
    cancel: 1,
    adopt: 0,
    missing: 0,
    held: 0,
    keep: 0,
    past: 0,
    expired: 0,
    draft: 4,
    skipped: 1,
    unmanaged: 1,
  });
});

test("a file that was uploaded before is uploaded again only if the service has lost it", () => {
  const given = {
    desired: [post({ media: [image("aa")] })],
    lockfile: lockfile({}, { media: { aa: entry } }),
  };
  expect(planOf(given).uploads).toEqual([]);
  expect(planOf(given, { missingMedia: new Set(["media_9"]) }).uploads).toEqual([]);
  expect(planOf(given, { missingMedia: new Set(["media_1"]) }).uploads).toHaveLength(1);
  const assumed = { ...given, lockfile: lockfile({}, { media: { aa: { ...entry, assumed: true } } }) };
  expect(planOf(assumed).uploads).toHaveLength(1);
});

describe("guards", () => {
  const gone = { lockfile: lockfile({ old: owned("post_1") }), remote: [remote()] };
  const halfDone = {
    lockfile: lockfile(
      { launch: owned("post_1") },
      { retiring: { post_0: { ...owned(""), key: "launch" } } },
    ),
    remote: [remote(), remote({ id: "post_0" })],
  };

  test.each<[string, Partial<DiffInput>, string[]]>([
    ["stop a plan without rows that cancels", gone, ["guard/no-rows"]],
    [
      "count only rows of the calendars that the plan is for",
      {
        ...gone,
        desired: [post({ key: "b", content: "b", source: { file: "calendars/b.csv", line: 2 } })],
        inScope: (file) => file === "calendars/a.csv",
      },
      ["guard/no-rows"],
    ],
    ["do not count the old half of a replacement", { ...halfDone, desired: [post()] }, []],
  ])("%s", (_what, given, codes) => {
    const { safety } = config({ safety: { max_cancels: 10, max_cancel_percent: 100 } });
    expect(planOf(given, { safety }).guards.map(({ code }) => code)).toEqual(codes);
  });

  test("the guards count an old post without its replacement, because a lockfile can name any post as an old one", () => {
    const { safety } = config({ safety: { max_cancels: 1, max_cancel_percent: 100 } });
    const shown = { content: "Old", platforms: ["twitter"], scheduledAt: FIRST, mediaIds: [] };
    const foreign = [remote({ id: "f1", ...shown }), remote({ id: "f2" }), remote({ id: "f3" })];
    const old = { ...owned(""), fingerprint: fingerprint(shown), key: "launch" };
    const given = (retiring: Record<string, typeof old>): Partial<DiffInput> => ({
      desired: [post()],
      lockfile: lockfile({ launch: owned("post_1") }, { retiring }),
      remote: [remote(), ...foreign],
    });
    const codesOf = (retiring: Record<string, typeof old>): string[] =>
      planOf(given(retiring), { safety }).guards.map(({ code }) => code);
    expect(codesOf({ f1: old })).toEqual([]);
    expect(codesOf({ f1: old, f2: old, f3: old })).toContain("guard/too-many-cancels");
    const other = { f2: { ...old, key: "a" }, f3: { ...old, key: "b" } };
    expect(codesOf(other)).toContain("guard/too-many-cancels");
  });

  test("accept the number that a person allowed", () => {
    expect(planOf(gone, { allowCancels: 1 }).guards).toEqual([]);
    expect(planOf(gone, { allowCancels: 2 }).guards).not.toEqual([]);
  });
});

const pastRow = (key: string, file: string, line: number) =>
  post({ key, scheduledAt: PAST, source: { file, line } });

const messages = (given: Partial<DiffInput>): [string, string][] =>
  planOf(given).problems.map(({ code, message }) => [code, message]);

describe("warnings", () => {
  test("are given once per file with past rows that were never scheduled, and name each row", () => {
    const desired = [
      pastRow("a", "a.csv", 2),
      pastRow("b", "b.csv", 2),
      pastRow("c", "a.csv", 4),
      pastRow("e@twitter", "a.csv", 5),
      pastRow("e@linkedin", "a.csv", 5),
      pastRow("d", "d.csv", 2),
    ];
    const owning = lockfile({ d: owned("post_d", { scheduled_at: PAST }) });
    expect(messages({ desired, lockfile: owning })).toEqual([
      [
        "schedule/past",
        `plancast does not schedule this row, because it was due 2029-12-31 00:00 (UTC). 2 more rows are past in this file: line 4, line 5.`,
      ],
      ["schedule/past", `plancast does not schedule this row, because it was due 2029-12-31 00:00 (UTC).`],
    ]);
  });

  test("say that a time within `safety.lead_time` is too soon, not past", () => {
    const desired = [post({ key: "soon", scheduledAt: "2030-01-01T00:01:00Z" })];
    expect(messages({ desired })).toEqual([
      [
        "schedule/past",
        "plancast does not schedule this row, because it is due 2030-01-01 00:01 (UTC), which is too soon (`safety.lead_time`).",
      ],
    ]);
  });

  test.each([
    ["2030-01-01T00:02:01Z", ["plan/past-but-scheduled"]],
    ["2030-01-01T00:02:00Z", []],
  ])("a row that was moved to the past while its post is due %s: %j", (due, codes) => {
    const given = {
      desired: [post({ scheduledAt: PAST })],
      lockfile: lockfile({ launch: owned("post_1", { scheduled_at: due }) }),
      remote: [remote({ scheduledAt: due })],
    };
    expect(messages(given).map(([code]) => code)).toEqual(codes);
  });

  test.each<[string, Partial<Parameters<typeof remote>[0]>, string[]]>([
    ["on the same platform", {}, ["plan/possible-older-version"]],
    ["on one of its platforms", { platforms: ["linkedin", "x"] }, ["plan/possible-older-version"]],
    ["on another platform", { platforms: ["x"] }, []],
    ["at another time", { scheduledAt: FIRST }, []],
  ])("a post of somebody else at the time of a new row, %s", (_where, given, codes) => {
    const found = messages({ desired: [post()], remote: [remote({ content: "Else", ...given })] });
    expect(found.map(([code]) => code)).toEqual(codes);
  });

  test("a pending create is shown, with the time of the next check", () => {
    const inDoubt = { lockfile: lockfile({}, { unknown: { launch: attempt } }) };
    const [code, message] = messages({ ...inDoubt, desired: [post()] })[0] ?? [];
    expect(code).toBe("plan/unsettled");
    expect(message).toContain(
      "after 2030-01-01 00:01:30 (UTC): it checks again, and creates the post only if",
    );
    const [, gone] = messages(inDoubt)[0] ?? [];
    expect(gone).toContain("after 2030-01-01 00:01:30 (UTC): it checks again.");
    const [, unsure] = messages({ ...inDoubt, mayListBeIncomplete: true })[0] ?? [];
    expect(unsure).toContain("`service.list_limit`");
    expect(unsure).toContain("run `plancast resolve`");
    const longAgo = { ...attempt, attempted_at: "2029-01-01T00:00:00Z" };
    const [, alike] =
      messages({
        desired: [post()],
        lockfile: lockfile({}, { unknown: { launch: longAgo } }),
        remote: [remote({ platforms: ["linked-in"] })],
      })[0] ?? [];
    expect(alike).toContain("is scheduled for that time");
  });
});

describe("the hash", () => {
  const given: Partial<DiffInput> = {
    desired: [post({ media: [image("aa")] }), post({ key: "b", content: "b" })],
    lockfile: lockfile({ old: owned("post_1") }, { media: { aa: entry } }),
    remote: [remote({ content: "Old" }), remote({ id: "post_2", content: "Else" })],
  };
  const rows = given.desired ?? [];
  const hash = (changed: Partial<DiffInput>): string => planOf({ ...given, ...changed }).hash();

  test.each<[string, Partial<DiffInput>]>([
    ["a row's text", { desired: [post({ content: "New", media: [image("aa")] }), ...rows.slice(1)] }],
    ["a row's time", { desired: [post({ scheduledAt: FIRST, media: [image("aa")] }), ...rows.slice(1)] }],
    ["a row's file", { desired: [post({ media: [image("bb")] }), ...rows.slice(1)] }],
    ["a row's media id", { desired: [post({ media: [{ kind: "id", id: "m" }] }), ...rows.slice(1)] }],
    ["a row more", { desired: [...rows, post({ key: "c", content: "c" })] }],
    ["the lockfile's posts", { lockfile: lockfile({ old: owned("post_2") }, { media: { aa: entry } }) }],
    ["the lockfile's media", { lockfile: lockfile({ old: owned("post_1") }) }],
    [
      "the lockfile's old halves of replacements",
      {
        lockfile: lockfile(
          { old: owned("post_1") },
          { media: { aa: entry }, retiring: { post_7: { ...owned(""), key: "b" } } },
        ),
      },
    ],
    [
      "a post on the service",
      { remote: [remote({ content: "Old" }), remote({ id: "post_2", content: "?" })] },
    ],
    [
      "the media of a post on the service",
      { remote: [remote({ content: "Old", mediaIds: ["m"] }), remote({ id: "post_2", content: "Else" })] },
    ],
    ["a post less on the service", { remote: [remote({ content: "Old" })] }],
    ["what is decided", { leadTimeMs: 100 * 86_400_000 }],
  ])("differs with %s", (_what, changed) => {
    expect(hash(changed)).not.toBe(hash({}));
  });

  test("is different for each selection of calendars", () => {
    const inB = { file: "calendars/b.csv", line: 2 };
    const desired = [post(), post({ key: "b", content: "b", source: inB })];
    const narrowed = (only: string): string => planOf({ desired, inScope: (file) => file === only }).hash();
    expect(narrowed("calendars/a.csv")).not.toBe(narrowed("calendars/b.csv"));
  });

  test("is the same for equal inputs in another order", () => {
    expect(hash({ desired: rows.toReversed(), remote: given.remote?.toReversed() ?? [] })).toBe(hash({}));
  });
});
