import type {
  Change,
  Create,
  CreateReason,
  Keep,
  MissingRow,
  PendingChange,
  Plan,
} from "../../src/model/plan.ts";
import type { RemotePost, ResolvedMedia, ResolvedPost } from "../../src/model/post.ts";

/** A post with the defaults of a dull row. */
export function post(over: Partial<ResolvedPost> = {}): ResolvedPost {
  return {
    key: "launch",
    source: { file: "calendars/march.csv", line: 4 },
    at: () => ({ file: "calendars/march.csv", line: 4 }),
    content: "We are live.",
    platforms: ["linkedin", "twitter"],
    scheduledAt: "2027-03-01T08:00:00Z",
    media: [],
    ...over,
  };
}

export function media(path: string, bytes: number): ResolvedMedia {
  return { kind: "file", path, bytes, sha256: "ab".repeat(32), mime: "image/png" };
}

export function create(desired: ResolvedPost, reason: CreateReason = "new-row"): Create {
  return { action: "create", key: desired.key, desired, conflictingIds: [], reason };
}

export function replace(
  desired: ResolvedPost,
  remote: Partial<RemotePost>,
): Extract<Change, { action: "replace" }> {
  const old = { id: "post_81f", ...remote };
  const parts = ["content", "platforms", "scheduledAt", "mediaIds"] as const;
  const fields = parts.filter((part) => part in remote);
  return {
    action: "replace",
    key: desired.key,
    desired,
    remote: old,
    fields,
    reason: "row-changed",
    conflictingIds: [],
  };
}

export function cancel(
  key: string,
  dueAt: string,
  remote: Partial<RemotePost> = {},
  file = "calendars/march.csv",
): Extract<Change, { action: "cancel" }> {
  return {
    action: "cancel",
    key,
    remote: { id: `post_${key}`, ...remote },
    dueAt,
    file,
    retiring: false,
    reason: "row-gone",
  };
}

/** A plan of these changes, with a summary that counts them. */
export function plan(changes: readonly Change[], over: Partial<Plan> = {}): Plan {
  const count = (action: Change["action"]): number => changes.filter((each) => each.action === action).length;
  const uploads = changes
    .flatMap((each) => (each.action === "create" || each.action === "replace" ? each.desired.media : []))
    .flatMap((each) => (each.kind === "file" ? [each] : []));
  return {
    hash: () => `sha256:${"cd".repeat(32)}`,
    costs: { changesPerRequest: undefined, hasUploads: true },
    summary: {
      create: count("create"),
      replace: count("replace"),
      cancel: count("cancel"),
      adopt: count("adopt"),
      missing: 0,
      held: 0,
      keep: 0,
      past: 0,
      expired: 0,
      draft: 0,
      skipped: 0,
      unmanaged: 0,
    },
    guards: [],
    unproved: new Set(),
    uploads,
    changes,
    kept: [],
    pending: [],
    held: [],
    missing: [],
    whereMissing: "here",
    uploadedFiles: () => new Map(),
    requests: uploads.length + count("create") + 2 * count("replace") + count("cancel"),
    problems: [],
    ...over,
  };
}

const at = (line: number): ResolvedPost["source"] => ({ file: "calendars/march.csv", line });

const GRINDER =
  "Launch day! 🚀\n\nAfter two years of tinkering in the shed, our new espresso grinder is here: quiet, quick and " +
  "repairable, with every screw standard and every part for sale.\n\nOrders open at nine. The first hundred come " +
  "with a hand-thrown cup.\n\n#espresso #righttorepair";

const opening = (hour: string): string =>
  `Our open day is on Saturday, from ten until ${hour}. Come and see how a grinder is made, try six coffees and take ` +
  "your old machine along: we mend what can be mended, free of charge, as long as the queue allows. Parking is behind the mill.";
/** What a marketing team plans in a week: twelve posts, of every kind. */
export function weekOfPosts(): Plan {
  const kept: Keep = {
    action: "keep",
    key: "monday-quiz",
    desired: post({
      key: "monday-quiz",
      content: "Which bean?",
      source: at(3),
      scheduledAt: "2027-03-01T07:00:00Z",
    }),
    remote: { id: "post_7" },
  };
  const webinar = post({
    key: "webinar",
    source: at(14),
    content: "Questions about burrs? Ask Ama, live at six.",
    scheduledAt: "2027-03-04T17:00:00Z",
  });
  const missing: MissingRow = {
    action: "missing",
    key: "webinar",
    create: create(webinar),
    postId: "post_30",
    why: "gone",
    isBehind: false,
    besides: [{ id: "post_77" }],
  };
  const pending: PendingChange = {
    action: "pending",
    key: "row:77aa",
    desired: post({
      key: "row:77aa",
      content: "Behind the scenes",
      source: at(19),
      scheduledAt: "2027-03-05T11:00:00Z",
    }),
    file: "calendars/march.csv",
    dueAt: "2027-03-05T11:00:00Z",
    until: "2027-02-20T09:14:00Z",
  };
  return plan(
    [
      create(post({ content: GRINDER, media: [media("media/launch.png", 48_213)] })),
      create(
        post({
          key: "row:0a11",
          source: at(5),
          platforms: ["twitter"],
          content: "Nine o’clock. Doors open. https://example.com/grinder",
          scheduledAt: "2027-03-01T08:05:00Z",
        }),
      ),
      cancel("teaser-2", "2027-03-01T16:30:00Z", {
        content: "Only one more sleep …\nWhat could it be?",
        platforms: ["linkedin"],
      }),
      replace(post({ key: "open-day", source: at(7), content: opening("five") }), {
        content: opening("four"),
      }),
      replace(
        post({
          key: "row:3f90",
          source: at(8),
          content: "Mind the gap",
          scheduledAt: "2027-03-02T11:30:00Z",
          media: [media("media/gap.jpg", 1_204_000)],
        }),
        { scheduledAt: "2027-03-01T11:30:00Z", platforms: ["linkedin"], mediaIds: ["media_4411"] },
      ),
      replace(
        post({
          key: "recipe",
          source: at(9),
          content: "18 g in, 36 g out, 27 seconds. Taste, then change one thing.",
          scheduledAt: "2027-03-02T17:00:00Z",
        }),
        { content: "18 g in, 40 g out, 30 seconds. Taste, then change one thing." },
      ),
      create(
        post({
          key: "tokyo",
          source: at(11),
          content:
            "東京の皆さん、お待たせしました！新しいグラインダーが届きました。詳しくはプロフィールのリンクからご覧ください。☕️👩‍🔧",
          platforms: ["instagram"],
          scheduledAt: "2027-03-03T23:00:00Z",
          media: [media("media/tokyo-1.jpg", 812_000), media("media/tokyo-2.jpg", 790_400)],
        }),
      ),
      create(
        post({
          key: "dubai",
          source: at(12),
          content: "وصلت المطحنة الجديدة ☕ اطلبوها الآن",
          platforms: ["instagram"],
          scheduledAt: "2027-03-04T06:00:00Z",
        }),
      ),
      {
        action: "adopt",
        key: "row:9b02",
        desired: post({
          key: "row:9b02",
          source: at(16),
          content: "Weekend hours: Saturday 10–17, Sunday closed.",
          scheduledAt: "2027-03-05T09:00:00Z",
        }),
        remote: { id: "post_55" },
      },
      cancel("old-offer", "2027-03-05T15:00:00Z"),
      create(
        post({
          key: "thanks",
          source: at(21),
          content: "Thank you.",
          platforms: ["facebook", "instagram", "linkedin", "mastodon", "threads", "twitter"],
          scheduledAt: "2027-03-05T16:00:00Z",
        }),
      ),
    ],
    {
      kept: [kept],
      pending: [pending],
      missing: [missing],
      summary: {
        create: 5,
        replace: 3,
        cancel: 2,
        adopt: 1,
        missing: 1,
        held: 0,
        keep: 40,
        past: 3,
        expired: 0,
        draft: 1,
        skipped: 2,
        unmanaged: 5,
      },
    },
  );
}
