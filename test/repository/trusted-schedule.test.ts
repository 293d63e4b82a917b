/** What counts of a schedule that somebody else may have written: tables. */
import { expect, test } from "vitest";
import {
  type Schedule,
  type ScheduledPost,
  parseSchedule,
  scheduleText,
  withDigest,
} from "../../src/repository/schedule.ts";
import {
  confirmedSchedule,
  type TrustedSchedule,
  trustedSchedule,
  withLaterResults,
} from "../../src/repository/trusted-schedule.ts";

const NOW = Date.UTC(2036, 2, 1, 9);
const [ID, OTHER] = ["post_00000000000a", "post_00000000000b"];
const DECISION = {
  content: "Tulips",
  platforms: ["bluesky"],
  accounts: { bluesky: "garden" },
  scheduled_at: "2036-03-01T08:00:00Z",
  media: [],
  created_at: "2036-01-01T00:00:00Z",
};

const tulips = withDigest(DECISION);
const forged = withDigest({ ...DECISION, content: "Buy our coins." });
const later = withDigest({ ...DECISION, scheduled_at: "2036-03-02T08:00:00Z" });
const old = withDigest({ ...DECISION, scheduled_at: "2035-03-01T08:00:00Z" });

function sent(post: ScheduledPost, state: "published" | "waiting" = "published"): ScheduledPost {
  const publication = {
    account_id: "garden",
    state,
    attempts: 1,
    sent_at: "2036-03-01T08:00:01Z",
    parts: [],
  };
  return { ...post, publications: { bluesky: publication } };
}

function claimed(post: ScheduledPost): ScheduledPost {
  const { publications: { bluesky } = {} } = sent(post);
  const claim = { run: "r1", until: "2036-03-01T08:15:00Z" };
  return {
    ...post,
    ...(bluesky === undefined ? {} : { publications: { bluesky: { ...bluesky, state: "sending", claim } } }),
  };
}

function schedule(posts: Schedule["posts"] = {}): Schedule {
  return { version: 1, posts };
}

function trusted(mine: Schedule, base: Schedule, own?: Schedule): TrustedSchedule {
  const compared = { base: scheduleText(base), own: own && scheduleText(own) };
  return trustedSchedule(mine, compared, NOW);
}

interface Case {
  readonly mine: Schedule;
  readonly base: Schedule;
  readonly own?: Schedule;
}

test.each<[string, Case, Schedule["posts"], string[]]>([
  [
    "a post as in the base",
    { mine: schedule({ [ID]: tulips }), base: schedule({ [ID]: tulips }) },
    { [ID]: tulips },
    [],
  ],
  [
    "results of the checkout",
    { mine: schedule({ [ID]: sent(tulips) }), base: schedule({ [ID]: tulips }) },
    { [ID]: sent(tulips) },
    [],
  ],
  [
    "a post as this machine wrote it",
    { mine: schedule({ [ID]: tulips }), base: schedule(), own: schedule({ [ID]: tulips }) },
    { [ID]: tulips },
    [],
  ],
  ["no post that the base lacks", { mine: schedule({ [OTHER]: forged }), base: schedule() }, {}, [OTHER]],
  [
    "the base's text",
    { mine: schedule({ [ID]: forged }), base: schedule({ [ID]: tulips }) },
    { [ID]: tulips },
    [ID],
  ],
  [
    "the base's text of a post that was sent, which is not sent again",
    { mine: schedule({ [ID]: sent(forged) }), base: schedule({ [ID]: tulips }) },
    { [ID]: sent(tulips) },
    [ID],
  ],
  [
    "a result of the base that the checkout removed",
    { mine: schedule({ [ID]: tulips }), base: schedule({ [ID]: sent(tulips) }) },
    { [ID]: sent(tulips) },
    [],
  ],
  [
    "a result of the base that the checkout turned into an attempt",
    { mine: schedule({ [ID]: sent(tulips, "waiting") }), base: schedule({ [ID]: sent(tulips) }) },
    { [ID]: sent(tulips) },
    [],
  ],
  [
    "a result of the base although the checkout has another text",
    { mine: schedule({ [ID]: forged }), base: schedule({ [ID]: sent(tulips) }) },
    { [ID]: sent(tulips) },
    [ID],
  ],
  [
    "a result that this machine wrote",
    {
      mine: schedule({ [ID]: tulips }),
      base: schedule({ [ID]: tulips }),
      own: schedule({ [ID]: sent(tulips) }),
    },
    { [ID]: sent(tulips) },
    [],
  ],
  [
    "no claim of the base that ended without a result",
    { mine: schedule({ [ID]: tulips }), base: schedule({ [ID]: claimed(tulips) }) },
    { [ID]: tulips },
    [],
  ],
  [
    "no result from before the base's time",
    { mine: schedule({ [ID]: sent(forged) }), base: schedule({ [ID]: later }) },
    { [ID]: later },
    [ID],
  ],
  [
    "a post that the checkout lacks",
    { mine: schedule(), base: schedule({ [ID]: tulips }) },
    { [ID]: tulips },
    [],
  ],
  [
    "no post that this machine cancelled",
    { mine: schedule(), base: schedule({ [ID]: tulips }), own: schedule() },
    {},
    [],
  ],
  [
    "no post that publish removed because it is old",
    { mine: schedule(), base: schedule({ [ID]: old }) },
    {},
    [],
  ],
])("counts: %s", (_what, { mine, base, own }, posts, brought) => {
  const found = trusted(mine, base, own);
  expect([found.schedule.posts, [...found.brought.keys()]]).toEqual([posts, brought]);
});

test("what counts can be read again, whatever the checkout has", () => {
  const { schedule: counts } = trusted(schedule({ [ID]: sent(forged) }), schedule({ [ID]: later }));
  expect(parseSchedule(scheduleText(counts), NOW)).toEqual(counts);
});

test.each<[string, Schedule["posts"], Schedule["posts"], Schedule["posts"], Schedule["posts"]]>([
  ["what apply wrote", { [ID]: later }, { [ID]: tulips }, { [ID]: tulips }, { [ID]: later }],
  [
    "a post that publish sent during the apply",
    { [ID]: later },
    { [ID]: tulips },
    { [ID]: sent(tulips) },
    { [ID]: sent(tulips) },
  ],
  [
    "a post that publish sent, and apply cancelled",
    {},
    { [ID]: tulips },
    { [ID]: sent(tulips) },
    { [ID]: sent(tulips) },
  ],
  [
    "no forged post that seems to be sent",
    { [ID]: tulips },
    { [ID]: tulips },
    { [ID]: sent(forged), [OTHER]: sent(forged) },
    { [ID]: tulips },
  ],
])("an apply confirms: %s", (_what, written, before, branch, posts) => {
  const [one = "", two = "", three = ""] = [written, before, branch].map((each) =>
    scheduleText(schedule(each)),
  );
  expect(parseSchedule(confirmedSchedule(one, two, three)).posts).toEqual(posts);
});

test("what is confirmed has the results that the branch has, and nothing else of it", () => {
  const confirmed = scheduleText(schedule({ [ID]: tulips, [OTHER]: later }));
  const branch = scheduleText(schedule({ [ID]: sent(tulips), post_00000000000c: forged }));
  expect(parseSchedule(withLaterResults(confirmed, branch)).posts).toEqual({
    [ID]: sent(tulips),
    [OTHER]: later,
  });
  expect(withLaterResults("", branch)).toBe("");
});
