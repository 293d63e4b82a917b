import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Change, Plan } from "../../../src/model/plan.ts";
import { type PlanTextOptions, planText } from "../../../src/report/plan/plan-text.ts";
import { planView } from "../../../src/report/plan/plan-view.ts";
import { type StyleOptions, createStyle } from "../../../src/report/text/style.ts";
import { cancel, create, media, plan, post, replace, weekOfPosts } from "../sample-plan.ts";

const WHOLE = { content: "We are live.", platforms: ["linkedin", "twitter"] };

function text(of: Plan, style: Partial<StyleOptions> = {}, options: Partial<PlanTextOptions> = {}): string {
  const verbose = options.verbose ?? false;
  const view = planView(of, { timezone: "Europe/Paris", kept: verbose, reads: 0, expectedMs: 0 });
  return planText(view, createStyle({ color: false, width: 80, unicode: true, ...style }), {
    ...options,
    verbose,
  });
}

/** The lines about one change, without those around them. */
function block(change: Change, style: Partial<StyleOptions> = {}): string {
  const [, , , , ...lines] = text(plan([change]), style).split("\n");
  return lines.slice(0, lines.indexOf("")).join("\n");
}

test("a week of posts", () => {
  expect(text(weekOfPosts())).toMatchInlineSnapshot(`
    "Times are in Europe/Paris.
    + create   ± replace   - cancel   = adopt   ! missing   ? pending

    Mon 1 March 2027
      + 09:00  LinkedIn, X · launch · calendars/march.csv:4
               │ Launch day! 🚀 ⏎⏎ After two years of tinkering in the shed, our new
               │ espresso grinder is here: quiet, quick and repairable, with every
               │ screw standard and every part for sale. ⏎⏎ Orders open at nine. …
               media: launch.png 48 kB
      ± 09:00  LinkedIn, X · open-day · calendars/march.csv:7
               │ Our open day is on Saturday, from ten until [-four-]{+five+}. Come
               │ and see how a grinder is made, …
      + 09:05  X · calendars/march.csv:5
               │ Nine o’clock. Doors open. https://example.com/grinder
      - 17:30  LinkedIn · teaser-2 · calendars/march.csv
               │ Only one more sleep … ⏎ What could it be?
               The row is gone.

    Tue 2 March 2027
      ± 12:30  LinkedIn, X · calendars/march.csv:8
               │ Mind the gap
               networks: LinkedIn → LinkedIn, X
               time: Mon 1 March 2027 12:30 → Tue 2 March 2027 12:30
               media: media_4411 → gap.jpg 1.2 MB
      ± 18:00  LinkedIn, X · recipe · calendars/march.csv:9
               │ 18 g in, [-40-]{+36+} g out, [-30-]{+27+} seconds. Taste, then
               │ change one thing.

    Thu 4 March 2027
      + 00:00  Instagram · tokyo · calendars/march.csv:11
               │ 東京の皆さん、お待たせしました！新しいグラインダーが届きました。詳
               │ しくはプロフィールのリンクからご覧ください。☕️👩‍🔧
               media: tokyo-1.jpg 812 kB, tokyo-2.jpg 790 kB
      + 07:00  Instagram · dubai · calendars/march.csv:12
               │ وصلت المطحنة الجديدة ☕ اطلبوها الآن
      ! 18:00  LinkedIn, X · webinar · calendars/march.csv:14
               │ Questions about burrs? Ask Ama, live at six.
               It was scheduled, but the service no longer has it. Perhaps a newer
               version is scheduled (the unmanaged post post_77): pull first.

    Fri 5 March 2027
      = 10:00  LinkedIn, X · calendars/march.csv:16
               │ Weekend hours: Saturday 10–17, Sunday closed.
               The service already has this post.
      ? 12:00  LinkedIn, X · calendars/march.csv:19
               │ Behind the scenes
               An earlier apply may or may not have scheduled this post. Run
               plancast apply again after Sat 20 February 2027 10:14. It checks
               before it creates.
      - 16:00  old-offer · calendars/march.csv
               The row is gone.
      + 17:00  Facebook, Instagram, LinkedIn, Mastodon, Threads, X · thanks
               calendars/march.csv:21
               │ Thank you.

    Plan: 5 to create, 3 to replace, 2 to cancel, 1 to adopt, 1 missing; 1 pending, 40 unchanged, 3 past, 1 draft, 2 skipped, 5 not managed by this project
    Apply will send 17 requests (4 files to upload, 2.9 MB).

    Apply leaves missing rows as they are (apply/missing).
      → If this clone may be old, run \`git pull\`. To create the post again, run
        \`plancast apply --allow-recreates 1\`, or review a saved plan. Otherwise,
        delete the row or set the status to skip.
    "
  `);
});

test("changed words are in brackets without colour, and red and green with colour", () => {
  const change = replace(post({ content: "Open until five today" }), { content: "Open until four today" });
  expect(block(change)).toBe(
    "  ± 09:00  LinkedIn, X · launch · calendars/march.csv:4\n" +
      "           │ Open until [-four-]{+five+} today",
  );
  expect(block(change, { color: true })).toContain(
    "Open until \u{1b}[31m\u{1b}[9mfour\u{1b}[29m\u{1b}[39m \u{1b}[32mfive\u{1b}[39m today",
  );
});

test("a change of only spaces is shown", () => {
  const change = replace(post({ content: "ten\u{a0}euros, one hour" }), { content: "ten euros, one hour" });
  expect(block(change)).toContain(String.raw`ten[-␣-]{+\u{a0}+}euros, one hour`);
});

test("fields that the service does not return are shown as unknown", () => {
  const change: Change = {
    action: "replace",
    reason: "row-changed",
    key: "launch",
    desired: post({ media: [media("a/b.png", 10)] }),
    remote: { id: "post_1" },
    fields: ["content", "platforms", "scheduledAt", "mediaIds"],
    conflictingIds: [],
  };
  expect(block(change)).toBe(
    [
      "  ± 09:00  LinkedIn, X · launch · calendars/march.csv:4",
      "           │ We are live.",
      "           The text has changed. The service does not show the old text.",
      "           networks: not known → LinkedIn, X",
      "           time: not known → Mon 1 March 2027 09:00",
      "           media: not known → b.png 10 B",
    ].join("\n"),
  );
});

const moved = (from: string, to: string): string =>
  block(replace(post({ scheduledAt: to }), { scheduledAt: from, content: WHOLE.content }))
    .split("\n")
    .at(-1) ?? "";

test("shows a time that moves within its day, and a time that moves across the hour that happens twice", () => {
  expect(moved("2027-03-01T08:00:00Z", "2027-03-01T09:30:00Z")).toContain("time: 09:00 → 10:30");
  expect(moved("2027-10-31T00:30:00Z", "2027-10-31T01:30:00Z")).toContain(
    "time: 02:30 (+02:00) → 02:30 (+01:00)",
  );
});

test("a post without media replaces a post that had media", () => {
  expect(block(replace(post(), { mediaIds: ["media_1", "media_2"] }))).toContain(
    "media: media_1, media_2 → none",
  );
});

test("a reason is shown if it says more than the action", () => {
  expect(block(create(post(), "earlier-create-lost"))).toContain(
    "           An earlier run sent it, but it never appeared on the service.",
  );
  expect(block(create(post()))).not.toContain("new");
});

test("a derived key is not shown", () => {
  expect(block(create(post({ key: "row:0a11" })))).toMatch(
    /^ {2}\+ 09:00 {2}LinkedIn, X · calendars\/march\.csv:4$/m,
  );
});

test("terminals without Unicode get ASCII marks", () => {
  const change = replace(post({ content: "one\ntwo" }), { platforms: ["linkedin"] });
  expect(block(change, { unicode: false })).toBe(
    [
      "  ~ 09:00  LinkedIn, X | launch | calendars/march.csv:4",
      String.raw`           | one \n two`,
      "           networks: LinkedIn -> LinkedIn, X",
    ].join("\n"),
  );
});

test("days are in order, and so are the posts of each day", () => {
  const shown = text(
    plan([
      create(post({ key: "b", scheduledAt: "2027-03-02T08:00:00Z" })),
      create(post({ key: "c", scheduledAt: "2027-03-01T10:00:00Z" })),
      create(post({ key: "a", scheduledAt: "2027-03-01T08:00:00Z" })),
    ]),
  );
  expect([...shown.matchAll(/· ([abc]) ·|(\w+) March/g)].map(([, key, day]) => key ?? day)).toEqual([
    "1",
    "a",
    "c",
    "2",
    "b",
  ]);
});

describe("a plan without changes", () => {
  const summary = { ...plan([]).summary, keep: 40, past: 3, draft: 2, skipped: 1, unmanaged: 1 };

  test("is one line", () => {
    expect(text(plan([], { summary }))).toBe(
      "Nothing to do: 40 unchanged, 3 past, 2 drafts, 1 skipped, 1 not managed by this\nproject.\n",
    );
    expect(text(plan([]))).toBe("Nothing to do.\n");
  });

  test("lists kept posts when verbose", () => {
    const { kept } = weekOfPosts();
    expect(text(plan([], { summary, kept }), {}, { verbose: true })).toBe(
      [
        "Times are in Europe/Paris.",
        "",
        "Mon 1 March 2027",
        "    08:00  LinkedIn, X · monday-quiz · calendars/march.csv:3",
        "",
        "Nothing to do: 40 unchanged, 3 past, 2 drafts, 1 skipped, 1 not managed by this",
        "project.",
        "",
      ].join("\n"),
    );
  });
});

describe("a long plan", () => {
  const long = plan(
    Array.from({ length: 5 }, (_, index): Change => create(post({ key: `p${index}` }))).concat(
      cancel("old", "2027-03-10T08:00:00Z"),
    ),
  );

  test("is counted by day; cancels are always listed", () => {
    expect(text(long, {}, { maxChanges: 5 })).toBe(
      [
        "Times are in Europe/Paris.",
        "+ create   - cancel",
        "",
        "To cancel: 1 post",
        "  Wed 10 March 2027",
        "  - 09:00  old · calendars/march.csv",
        "           The row is gone.",
        "",
        "day                changes      networks",
        "Mon 1 March 2027   5 to create  LinkedIn 5, X 5",
        "Wed 10 March 2027  1 to cancel",
        "",
        "6 changes in 2 days are too many to list. Add --short to list them with one line",
        "each, --verbose to see each in full, or name a calendar to see only its posts.",
        "",
        "Plan: 5 to create, 1 to cancel",
        "Apply will send 6 requests.",
        "",
      ].join("\n"),
    );
  });

  const year = plan([
    ...Array.from({ length: 400 }, (_, index) =>
      create(
        post({
          key: `p${index}`,
          platforms: index % 4 === 0 ? ["instagram", "mastodon", "threads"] : ["linkedin"],
          scheduledAt: new Date(Date.UTC(2027, 0, 1) + index * 43_200_000).toISOString().replace(".000", ""),
        }),
      ),
    ),
    cancel("old", "2027-03-10T08:00:00Z", { platforms: ["linkedin"] }),
  ]);

  test("of more days than a month is counted by month, with the networks that fit", () => {
    const months = text(year, { width: 80 }).split("\n");
    expect(months.find((line) => line.startsWith("January 2027"))).toMatch(
      /^January 2027 {3}62 to create {15}LinkedIn 46, Instagram 16, Mast.*…$/,
    );
    expect(months.every((line) => line.length <= 80)).toBe(true);
    expect(text(year, { width: 40 })).toContain("\nmonth: January 2027\n  changes: 62 to create\n");
    expect(text(year, { width: 120 })).toContain("Instagram 16, Mastodon 16, Threads 16\n");
    expect(text(year)).toContain("401 changes in 7 months are too many to list.");
  });

  test("is complete if it is short enough, or if the user asks for all of it", () => {
    expect(text(long, {}, { maxChanges: 6 })).toContain("p4");
    expect(text(long, {}, { maxChanges: 5, verbose: true })).toContain("p4");
  });
});

const short = (of: Plan, width: number, color = false): string[] =>
  text(of, { width, color }, { short: true }).split("\n");

describe("one line for each post", () => {
  test("has sign, time, networks, place and the beginning of the text", () => {
    expect(short(weekOfPosts(), 120).slice(3, 12)).toMatchInlineSnapshot(`
      [
        "March 2027",
        "  + Mon 1  09:00  LinkedIn, X                             Launch day! 🚀 ⏎⏎ After two years of…   calendars/march.csv:4",
        "  ± Mon 1  09:00  LinkedIn, X                             Our open day is on Saturday, from ten…  calendars/march.csv:7",
        "  + Mon 1  09:05  X                                       Nine o’clock. Doors open. https://exa…  calendars/march.csv:5",
        "  - Mon 1  17:30  LinkedIn                                Only one more sleep … ⏎ What could it…  calendars/march.csv",
        "  ± Tue 2  12:30  LinkedIn, X                             networks: LinkedIn → LinkedIn, X; tim…  calendars/march.csv:8",
        "  ± Tue 2  18:00  LinkedIn, X                             18 g in, [-40-]{+36+} g out, [-30-]{+…  calendars/march.csv:9",
        "  + Thu 4  00:00  Instagram                               東京の皆さん、お待たせしました！新し…   calendars/march.csv:11",
        "  + Thu 4  07:00  Instagram                               وصلت المطحنة الجديدة ☕ اطلبوها الآن    calendars/march.csv:12",
      ]
    `);
  });

  test("leaves out places where there is little room", () => {
    expect(short(weekOfPosts(), 60).slice(3, 12)).toMatchInlineSnapshot(`
      [
        "March 2027",
        "  + Mon 1  09:00  LinkedIn, X           Launch day! 🚀 ⏎⏎ A…",
        "  ± Mon 1  09:00  LinkedIn, X           Our open day is on…",
        "  + Mon 1  09:05  X                     Nine o’clock. Doors…",
        "  - Mon 1  17:30  LinkedIn              Only one more sleep…",
        "  ± Tue 2  12:30  LinkedIn, X           networks: LinkedIn…",
        "  ± Tue 2  18:00  LinkedIn, X           18 g in, [-40-]{+36…",
        "  + Thu 4  00:00  Instagram             東京の皆さん、お待…",
        "  + Thu 4  07:00  Instagram             وصلت المطحنة الجديد…",
      ]
    `);
  });

  test.each([40, 60, 80, 140])("keeps to %d columns, in one line for each of thirteen posts", (width) => {
    for (const color of [false, true]) {
      const lines = short(weekOfPosts(), width, color);
      const posts = lines.slice(lines.findIndex((line) => line.includes("March 2027")) + 1).slice(0, 13);
      expect(posts.filter((line) => stringWidth(line) > width)).toEqual([]);
      expect(posts.every((line) => /\d\d:\d\d/.test(line))).toBe(true);
    }
  });

  test("counts a plan of thousands of changes by month, after the cancellations", () => {
    const days = Array.from({ length: 1_200 }, (_, index) => {
      const at = new Date(Date.UTC(2027, 0, 1 + (index % 360), 9)).toISOString().replace(".000Z", "Z");
      return create(post({ key: `p${index}`, scheduledAt: at }));
    });
    const of = plan([...days, cancel("gone", "2027-03-10T08:00:00Z")]);
    const lines = short(of, 120);
    expect(lines.length).toBeLessThan(30);
    expect(lines).toContain("To cancel: 1 post");
    expect(lines.find((line) => line.startsWith("December 2027"))).toContain("78 to create");
    expect(lines.join("\n")).toContain("Add --verbose to list them with one line each");
    const whole = text(of, { width: 80 }, { short: true, verbose: true });
    expect(whole.match(/^ {2}\+ .*LinkedIn/gm)).toHaveLength(1_200);
    expect(text(of, { width: 120 })).toContain("Add --short --verbose to list them with one line each");
  });
});

describe("a row with another time zone", () => {
  const at = { key: "tokyo", scheduledAt: "2027-02-28T22:30:00Z", timezone: "Asia/Tokyo" };

  test("is on its own day, at its own time, with the project's beside it", () => {
    expect(text(plan([create(post(at))]))).toContain(
      [
        "Times are in Europe/Paris. If a row has another time zone, its own time is",
        "first.",
        "+ create",
        "",
        "Mon 1 March 2027",
        "  + 07:30  Asia/Tokyo (Sun 28 23:30 in Europe/Paris) · LinkedIn, X · tokyo",
      ].join("\n"),
    );
    const newYork = create(
      post({ ...at, scheduledAt: "2027-03-01T15:00:00Z", timezone: "America/New_York" }),
    );
    expect(text(plan([newYork]))).toContain("  + 10:00  America/New_York (16:00 in Europe/Paris) · ");
  });

  test("has both times together in a plan with one line for each post", () => {
    const of = plan([create(post(at))]);
    expect(text(of, {}, { short: true })).toContain(
      "  + Mon 1  07:30 Tokyo (Sun 28 23:30)  LinkedIn, X  We are live.\n",
    );
    expect(text(of, { width: 60 }, { short: true })).toContain(
      "  + Mon 1  07:30 Tokyo (Sun 28 2…  LinkedIn, X  We are live.\n",
    );
  });

  test("has a changed time in its own zone, too", () => {
    const moved = replace(post(at), { scheduledAt: "2027-02-28T22:00:00Z" });
    expect(text(plan([moved]))).toContain("time: 07:00 → 07:30 in Asia/Tokyo");
    const day = replace(post(at), { scheduledAt: "2027-02-28T14:00:00Z" });
    expect(text(plan([day]), { width: 120 })).toContain(
      "time: Sun 28 February 2027 23:00 → Mon 1 March 2027 07:30 in Asia/Tokyo",
    );
  });

  test("looks like the other rows if both clocks agree", () => {
    expect(text(plan([create(post({ timezone: "Europe/Berlin" }))]))).not.toContain("Berlin");
  });

  test("keeps days in order", () => {
    const shown = text(
      plan([create(post(at)), create(post({ key: "paris", scheduledAt: "2027-02-28T22:45:00Z" }))]),
    );
    expect(shown.match(/^\w+ \d+ \w+ 2027$/gm)).toEqual(["Sun 28 February 2027", "Mon 1 March 2027"]);
  });
});

test("names the guards, and how to continue", () => {
  const changes = [cancel("a", "2027-03-10T08:00:00Z")];
  const guards: Plan["guards"] = [
    { code: "guard/too-many-cancels", cancels: 1, limit: 0, limitFrom: "settings" },
  ];
  expect(text(plan(changes, { guards }))).toContain(
    [
      "Apply refuses this plan, unless somebody allows it:",
      "  guard/too-many-cancels: 1 post would be cancelled, but safety.max_cancels",
      "  allows 0.",
      "  → Did a filter or a deletion remove rows by mistake? Restore them. If you want",
      "",
    ].join("\n"),
  );
});

test("a plan that only adopts sends nothing", () => {
  const adopt: Change = { action: "adopt", key: "a", desired: post(), remote: { id: "post_1" } };
  expect(text(plan([adopt]))).toContain(
    "Plan: 1 to adopt\nApply will send no requests. It only updates the lockfile.\n",
  );
});

test.each([40, 60, 80, 120])("keeps to %d columns, except for the line of numbers", (width) => {
  const lines = text(weekOfPosts(), { width }).split("\n");
  const tooWide = lines.filter((line) => stringWidth(line) > width && !/^Plan: |^\+ create/.test(line));
  expect(tooWide).toEqual([]);
  expect(
    Math.max(...lines.filter((line) => !line.startsWith("Plan: ")).map((line) => stringWidth(line))),
  ).toBeGreaterThan(width - 12);
});
