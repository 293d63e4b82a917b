/** The page at `/`: the posts for people, and the form that moves the clock. How it looks is in test/browser. */
import { expect, test } from "vitest";
import type { Scope } from "../../../src/embedded/routes/api-keys.ts";
import { accountsOf } from "../../../src/embedded/publishing/accounts.ts";
import {
  type TestOptions,
  type TestService,
  draft,
  startTestService,
  upload,
} from "../../support/embedded-service.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const START = Date.UTC(2027, 2, 1, 8);
const OPTIONS: TestOptions = { clockAt: START, memory: true, timezone: "Europe/Paris", title: "Spring" };

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(
  { url, keys }: TestService,
  path: string,
  {
    scope = "admin",
    form,
    headers = {},
  }: { scope?: Scope; form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Page> {
  const answer = await fetch(new URL(path, url), {
    redirect: "manual",
    headers: {
      authorization: `Basic ${Buffer.from(`ana:${keys[scope]}`).toString("base64")}`,
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form).toString() }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function tokenIn({ text }: Page): string {
  return /name="token" value="([\w-]+)"/.exec(text)?.[1] ?? "";
}

/** The words of the page. */
function words({ text }: Page): string {
  return text.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

async function create(
  service: TestService,
  time: string,
  content: string,
  platforms = ["linkedin"],
): Promise<void> {
  const made = await service.call("POST", "/posts", draft({ scheduled_at: time, content, platforms }));
  expect(made.status).toBe(201);
}

test("needs a key, and is not counted by the rate limit", async () => {
  const service = await startTestService({ ...OPTIONS, plan: "free" });
  const without = await fetch(new URL("/", service.url));
  expect([without.status, without.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining("Basic"),
  ]);
  const { status, headers } = await ask(service, "/", { scope: "read" });
  expect([status, headers.get("x-ratelimit-remaining"), headers.get("cache-control")]).toEqual([
    200,
    "30",
    "no-store",
  ]);
});

test("groups the posts by day in the project's time zone: what comes next, then what happened last", async () => {
  const service = await startTestService(OPTIONS);
  await create(service, "2027-03-01T09:00:00Z", "Morning");
  await create(service, "2027-03-01T23:30:00Z", "Late");
  await create(service, "2027-03-05T09:00:00Z", "Friday");
  await service.besides("POST", "/_control/clock", { by: "2h" });
  const page = await ask(service, "/");
  const shown = words(page);
  expect(shown).toContain("Mon 1 March 2027 11:00 stopped");
  const parts = page.text.slice(page.text.indexOf("<main>"));
  expect(parts.match(/(Mon|Tue|Fri) \d March 2027|Morning|Late|Friday/g)).toEqual([
    "Tue 2 March 2027",
    "Late",
    "Fri 5 March 2027",
    "Friday",
    "Mon 1 March 2027",
    "Morning",
  ]);
  expect(shown).toContain("00:30 Scheduled Late LinkedIn scheduled");
  expect(shown).toContain("10:00 Published Morning LinkedIn published");
});

test("shows a thread and a first comment as they are, without other spaces", async () => {
  const service = await startTestService(OPTIONS);
  const texts = { content: "One", thread: ["Two\n2"], first_comment: "Three\n3" };
  await service.call("POST", "/posts", draft({ scheduled_at: "2027-03-01T09:00:00Z", ...texts }));
  const { text } = await ask(service, "/");
  const paragraphs = Array.from(text.matchAll(/<p class="text[^>]*>([\s\S]*?)<\/p>/g), ([, inner]) => inner);
  expect(paragraphs).toEqual(["One", "Two\n2", '<span class="quiet">First comment: </span>Three\n3']);
});

test("shows each picture below its text, and what else belongs to a post", async () => {
  const service = await startTestService(OPTIONS);
  const ids = [];
  for (const seed of [1, 2, 3]) {
    const { body } = await service.call("POST", "/media", upload(tinyPng(seed)));
    ids.push(Object(body).id);
  }
  const texts = {
    content: "One",
    thread: ["Two", "Three"],
    thread_media: [0, 2],
    media_ids: ids,
    alt: ["", "B"],
  };
  const more = { quote: "https://bsky.app/profile/a.test/post/1", poll: ["Tulips", "Roses"] };
  await service.call("POST", "/posts", draft({ scheduled_at: "2027-03-01T09:00:00Z", ...texts, ...more }));
  const { text } = await ask(service, "/");
  const shown = Array.from(
    text.matchAll(/<p class="text[^>]*>([^<]*)|<img [^>]*alt="([^"]*)"/g),
    (each) => each[1] ?? each[2],
  );
  expect(shown).toEqual(["One", `Picture ${ids[0]}`, "Two", "Three", "B", `Picture ${ids[2]}`]);
  expect(text).toContain("Quotes: https://bsky.app/profile/a.test/post/1");
  expect(text).toContain("Poll: Tulips | Roses");
});

test("filters by status, network and text, and keeps the other filters in its links", async () => {
  const service = await startTestService({ ...OPTIONS, failures: ["platform=instagram"] });
  await create(service, "2027-03-01T09:00:00Z", "Both", ["instagram", "linkedin"]);
  await create(service, "2027-03-01T09:00:00Z", "Only one", ["instagram"]);
  await create(service, "2027-03-02T09:00:00Z", "Later");
  await service.besides("POST", "/_control/clock", { by: "2h" });
  const shown = words(await ask(service, "/"));
  expect(shown).toContain("Scheduled 1 Partly published 1 Failed 1 Instagram 2 LinkedIn 2");
  const partly = await ask(service, "/?status=partly&network=linkedin");
  expect(words(partly)).toContain("1 post matches");
  expect(words(partly)).toContain("Instagram failed: instagram is set to fail. LinkedIn published");
  expect(partly.text).toContain('href="/?status=failed&amp;network=linkedin"');
  expect(words(await ask(service, "/?text=LATER"))).toContain("1 post matches");
  expect(words(await ask(service, "/?text=none"))).toContain("No post matches.");
});

test("a long list has pages", async () => {
  const service = await startTestService(OPTIONS);
  for (let index = 0; index < 60; index += 1) await create(service, "2027-03-02T09:00:00Z", `Post ${index}.`);
  const posts = async (path: string): Promise<number> =>
    (await ask(service, path)).text.match(/<article/g)?.length ?? 0;
  expect([
    await posts("/"),
    await posts("/?page=2"),
    await posts("/?page=99"),
    await posts("/?page=x"),
  ]).toEqual([50, 10, 10, 50]);
});

test("the admin key moves the clock with the form, in the project's time zone", async () => {
  const service = await startTestService(OPTIONS);
  await create(service, "2027-03-02T09:00:00Z", "Tomorrow");
  const token = tokenIn(await ask(service, "/"));
  const clock = async (): Promise<string> =>
    words(await ask(service, "/")).match(/\d\d:\d\d(?= stopped)/)?.[0] ?? "";
  const moved = await ask(service, "/", { form: { token, by: "1h" } });
  expect([moved.status, moved.headers.get("location"), await clock()]).toEqual([303, "/", "10:00"]);
  await ask(service, "/", { form: { token, to: "2027-03-01T12:30" } });
  expect(await clock()).toBe("12:30");
  await ask(service, "/", { form: { token, by: "next" } });
  expect(words(await ask(service, "/"))).toContain("10:00 Published Tomorrow");
  for (const [form, message] of [
    [{ to: "2027-03-01T12:30" }, "The clock only moves forward."],
    [{ to: "2027-03-28T02:30" }, "skip this time"],
    [{ to: "2027-10-31T02:30" }, "show this time twice"],
    [{ to: "tomorrow" }, "Choose a day and a time."],
    [{ by: "-1h" }, "Choose how far to move the clock."],
    [{ by: "next" }, "No post is scheduled."],
  ] as const) {
    const refused = await ask(service, "/", { form: { token, ...form } });
    expect([refused.status, words(refused)]).toEqual([422, expect.stringContaining(message)]);
  }
});

test("nobody can move the clock with forms of other pages, with other keys, or in a service with real accounts", async () => {
  const service = await startTestService(OPTIONS);
  const token = tokenIn(await ask(service, "/"));
  const by = "1h";
  const statuses = [
    await ask(service, "/", { form: { by } }),
    await ask(service, "/", { form: { by, token: "x" } }),
    await ask(service, "/", { form: { by, token }, headers: { "sec-fetch-site": "cross-site" } }),
    await ask(service, "/", { form: { by, token }, scope: "write" }),
    await ask(service, "/", { form: { by, token, more: "x".repeat(20_000) } }),
    await ask(service, "/", { form: { by, token }, headers: { "content-type": "text/plain" } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 403, 403, 422, 422]);
  const read = await ask(service, "/", { scope: "read" });
  expect([tokenIn(read), words(read)]).toEqual(["", expect.stringContaining("log in with the admin key")]);

  const real = { ...accountsOf([]), areReal: true };
  const publishing = await startTestService({ memory: true, accounts: real, timezone: "Europe/Paris" });
  const page = await ask(publishing, "/");
  expect([tokenIn(page), words(page)]).toEqual(["", expect.stringContaining("publishes on real accounts")]);
  expect((await ask(publishing, "/", { form: { by, token } })).status).toBe(403);
});

test("texts, names and addresses appear as text, and the page's policy allows no script", async () => {
  const service = await startTestService({ ...OPTIONS, title: "<script>a</script>" });
  await create(service, "2027-03-02T09:00:00Z", `<img src=x onerror="b"> \u{202e}c`);
  const { text, headers } = await ask(service, '/?text=<script>d</script>&status="><script>&network=<b>');
  expect(text).not.toMatch(/<script|<img|<b>\s*<\/|\u{202e}/u);
  expect((await ask(service, "/")).text).not.toMatch(/<script|<img|\u{202e}/u);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';(?!.*script-src)/);
});
