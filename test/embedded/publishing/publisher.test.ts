/** Publishing on accounts: at the right time, once, and with the results that others see. */
import { expect, test } from "vitest";
import { accountsOf } from "../../../src/embedded/publishing/accounts.ts";
import { deadlineOf } from "../../../src/embedded/publishing/publication-steps.ts";
import type { AccountNews } from "../../../src/model/publication.ts";
import { accountNames } from "../../../src/networks/open-accounts.ts";
import type { AccountSettings } from "../../../src/settings/accounts.ts";
import { NEW_YEAR, startTestService, temporaryFolder, upload } from "../../support/embedded-service.ts";
import { BLUESKY_PASSWORD, startBluesky } from "../../support/networks/bluesky.ts";
import { MASTODON_TOKEN, startMastodon } from "../../support/networks/mastodon.ts";
import { account, open } from "../../support/networks/open.ts";
import { startStandIn } from "../../support/networks/stand-in.ts";
import { tinyPng } from "../../support/tiny-media.ts";
import { startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";

const MINUTE_MS = 60_000;
const DUE = "2027-01-01T01:00:00Z";
const DUE_MS = NEW_YEAR + 60 * MINUTE_MS;

interface Given {
  readonly folder?: string;
  readonly settleMs?: number;
  readonly webhook?: object;
  /** The token for Mastodon. */
  readonly masto?: string;
  readonly networks?: readonly string[];
  /** Whether it only accepts posts, as in the process of an apply. */
  readonly isIdle?: boolean;
}

/** A service on stand-ins of all networks. */
async function startNetworks() {
  const time = { now: () => NEW_YEAR };
  const bluesky = await startBluesky();
  const mastodon = await startMastodon({ now: () => time.now() });
  const received: unknown[] = [];
  const webhook = await startStandIn(({ body }) => {
    received.push(JSON.parse(String(body)));
    return { json: {} };
  });
  const start = async (given: Given = {}) => {
    const settings: Record<string, AccountSettings> = {
      bsky: account({ network: "bluesky", handle: "garden.test", password_env: "A", server: bluesky.origin }),
      masto: account({ network: "mastodon", token_env: "B", server: mastodon.origin }),
      press: account({ network: "webhook", url_env: "C", ...given.webhook }),
    };
    const secrets: Record<string, string> = {
      A: BLUESKY_PASSWORD,
      B: given.masto ?? MASTODON_TOKEN,
      C: `${webhook.origin}/hook`,
    };
    const names = accountNames(settings).filter(({ platform }) => given.networks?.includes(platform) ?? true);
    const stop = new AbortController();
    const accounts = names.map((each) => {
      const secret = secrets[{ bluesky: "A", mastodon: "B", webhook: "C" }[each.settings.network]] ?? "";
      return { ...each, network: open(each.settings, secret, { stop: stop.signal }) };
    });
    const news: AccountNews[] = [];
    const publishing = {
      accounts,
      lateMs: 120 * MINUTE_MS,
      settleMs: given.settleMs ?? 0,
      stop,
      onNews: (each: AccountNews) => void news.push(each),
      onStoreTrouble: (reason: string) => {
        throw new Error(reason);
      },
    };
    const service = await startTestService({
      ...(given.folder === undefined ? {} : { folder: given.folder }),
      accounts: accountsOf(names),
      ...(given.isIdle === true ? {} : { publishing }),
    });
    time.now = service.clock.now;
    const postOf = async (id: string) => (await service.call("GET", `/posts/${id}`)).body;
    const schedule = async (content: string, more: object = {}): Promise<string> => {
      const body = { content, platforms: ["bluesky", "mastodon", "webhook"], scheduled_at: DUE, ...more };
      const answer = await service.call("POST", "/posts", body);
      expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
      return idOf(answer.body);
    };
    /** Moves the machine's time, and waits until the post has the status. */
    const at = async (ms: number, id: string, status: string): Promise<void> => {
      service.clock.ms = Math.max(ms, service.clock.ms);
      await until(async () => {
        // Posts that wait for their next attempt are tried again.
        service.clock.ms += 5_000;
        return Object(await postOf(id)).status === status;
      });
    };
    return { service, news, schedule, postOf, at };
  };
  return { bluesky, mastodon, webhook, received, start };
}

function idOf(body: unknown): string {
  return String(Object(body).id);
}

test("publishes a due post on each account, and shows the addresses in the post and in events", async () => {
  const { bluesky, mastodon, webhook, start } = await startNetworks();
  const receiver = await startReceiver();
  const { service, schedule, postOf, at } = await start();
  const events = ["post.published", "post.failed"];
  await service.call("POST", "/webhooks", { url: receiver.url, events });
  const id = await schedule("Hello 🌱");
  expect(await postOf(id)).toMatchObject({ status: "scheduled" });
  await at(DUE_MS, id, "published");
  const [rkey] = bluesky.records.keys();
  const urls = {
    bluesky: `https://bsky.app/profile/garden.test/post/${rkey}`,
    mastodon: `https://social.example/@garden/${mastodon.statuses[0]?.id}`,
  };
  expect(await postOf(id)).toMatchObject({
    results: [
      { platform: "bluesky", status: "published", url: urls.bluesky },
      { platform: "mastodon", status: "published", url: urls.mastodon },
      { platform: "webhook", status: "published" },
    ],
  });
  await until(() => receiver.received.length === 3);
  const told = receiver.received.map((each) => Object(each).data);
  expect(told).toContainEqual({ post_id: id, platform: "bluesky", url: urls.bluesky });
  expect(told).toContainEqual({ post_id: id, platform: "webhook" });
  expect([bluesky.records.size, mastodon.statuses.length, webhook.requests.length]).toEqual([1, 1, 1]);
});

test("publishes alt texts, the thread, and the first comment as the last reply", async () => {
  const { bluesky, mastodon, received, start } = await startNetworks();
  const { service, schedule, at } = await start();
  const media_ids: string[] = [];
  for (const seed of [1, 2]) {
    media_ids.push(idOf((await service.call("POST", "/media", upload(tinyPng(seed)))).body));
  }
  const more = { media_ids, alt: ["", "Tulips 🌷"], thread: ["Two"], first_comment: "Three" };
  const id = await schedule("One", more);
  await at(DUE_MS, id, "published");
  const [one, two, three] = [...bluesky.records.values()];
  expect([one, two, three].map((record) => record?.["text"])).toEqual(["One", "Two", "Three"]);
  expect(Object(one).embed.images.map((image: { alt: string }) => image.alt)).toEqual(["", "Tulips 🌷"]);
  expect(mastodon.statuses.map(({ text }) => text)).toEqual(["One", "Two", "Three"]);
  expect(mastodon.statuses[0]?.media.map(({ description }) => description ?? "")).toEqual(["", "Tulips 🌷"]);
  expect(mastodon.statuses[2]?.replyTo).toBe(mastodon.statuses[1]?.id);
  expect(received[0]).toMatchObject({
    text: "One",
    thread: ["Two"],
    first_comment: "Three",
    media: [{ alt: "" }, { alt: "Tulips 🌷" }],
  });
});

test("refuses more alt texts than media", async () => {
  const { start } = await startNetworks();
  const { service } = await start();
  const body = { content: "One", platforms: ["bluesky"], scheduled_at: DUE, alt: ["A"] };
  expect(await service.call("POST", "/posts", body)).toMatchObject({
    status: 422,
    body: { error: { code: "validation_error", message: expect.stringContaining("alt") } },
  });
});

test("lists the accounts as platforms, and refuses posts for others", async () => {
  const { start } = await startNetworks();
  const { service } = await start({ networks: ["bluesky", "webhook"] });
  expect((await service.call("GET", "/platforms")).body).toMatchObject({
    data: [
      { platform: "bluesky", name: "@garden.test", connected: true },
      { platform: "webhook", name: "press" },
    ],
  });
  const draft = { content: "a", platforms: ["mastodon"], scheduled_at: DUE };
  expect((await service.call("POST", "/posts", draft)).status).toBe(422);
});

test("refuses to move the clock, and to set failures", async () => {
  const { start } = await startNetworks();
  const { service } = await start();
  expect((await service.besides("POST", "/_control/clock", { by: "1h" })).status).toBe(403);
  expect((await service.besides("POST", "/_control/failures", { fail: [] })).status).toBe(403);
  expect((await service.besides("GET", "/_control/clock")).status).toBe(200);
});

test("a post that is cancelled before its time never goes out", async () => {
  const { bluesky, mastodon, start } = await startNetworks();
  const { service, schedule, at } = await start();
  const [cancelled, other] = [await schedule("Not this"), await schedule("This")];
  expect((await service.call("DELETE", `/posts/${cancelled}`)).status).toBe(200);
  await at(DUE_MS, other, "published");
  expect([...bluesky.records.values()].map(({ text }) => text)).toEqual(["This"]);
  expect(mastodon.statuses.map(({ text }) => text)).toEqual(["This"]);
});

test("a post cannot be cancelled after its first attempt has begun, but it can be cancelled before", async () => {
  const { mastodon, bluesky, start } = await startNetworks();
  const { service, schedule, at, news } = await start({ networks: ["bluesky"] });
  bluesky.watch = (name) => (name.endsWith("createSession") ? 503 : undefined);
  const waiting = await schedule("Waits", { platforms: ["bluesky"] });
  service.clock.ms = DUE_MS;
  await service.call("GET", "/posts");
  await until(() => news.some(({ state }) => state === "waiting"));
  expect((await service.call("DELETE", `/posts/${waiting}`)).status).toBe(200);
  bluesky.watch = (name, moment) =>
    name.endsWith("putRecord") && moment === "handled" ? "lost-answer" : undefined;
  const begun = await schedule("Begun", { platforms: ["bluesky"], scheduled_at: "2027-01-01T02:00:00Z" });
  service.clock.ms = DUE_MS + 60 * MINUTE_MS;
  await until(async () => {
    service.clock.ms += 1_000;
    await service.call("GET", "/posts");
    return bluesky.records.size === 1;
  });
  expect((await service.call("DELETE", `/posts/${begun}`)).status).toBe(422);
  await at(0, begun, "published");
  expect([bluesky.records.size, mastodon.statuses.length]).toEqual([1, 0]);
});

test("a failure on one account does not delay the others, and plancast tries again until it is too late", async () => {
  const { bluesky, mastodon, start } = await startNetworks();
  mastodon.watch = () => 503;
  const { service, schedule, postOf, news } = await start();
  const id = await schedule("Hello");
  service.clock.ms = DUE_MS;
  await service.call("GET", "/posts");
  await until(() => bluesky.records.size === 1 && news.some(({ state }) => state === "waiting"));
  expect(await postOf(id)).toMatchObject({ status: "scheduled" });
  service.clock.ms = DUE_MS + 121 * MINUTE_MS;
  await until(async () => Object(await postOf(id)).status === "failed");
  expect(await postOf(id)).toMatchObject({
    results: [
      { platform: "bluesky", status: "published" },
      {
        platform: "mastodon",
        status: "failed",
        error: { message: expect.stringMatching(/^until it was too late: .*503/) },
      },
      { platform: "webhook", status: "published" },
    ],
  });
});

test("a thread that stays incomplete cannot be cancelled, and fails with a warning that a part is there", async () => {
  const { bluesky, start } = await startNetworks();
  bluesky.watch = (name) => (name.endsWith("putRecord") && bluesky.records.size === 1 ? 503 : undefined);
  const { service, schedule, postOf, news } = await start({ networks: ["bluesky"] });
  const id = await schedule("One", { platforms: ["bluesky"], thread: ["Two"] });
  service.clock.ms = DUE_MS;
  await service.call("GET", "/posts");
  await until(() => news.length > 0);
  expect((await service.call("DELETE", `/posts/${id}`)).status).toBe(422);
  service.clock.ms = DUE_MS + 121 * MINUTE_MS;
  await until(async () => Object(await postOf(id)).status === "failed");
  const message = expect.stringMatching(/^It may be published, at least in part: until it was too late: /);
  expect(await postOf(id)).toMatchObject({ results: [{ error: { message } }] });
  expect(bluesky.records.size).toBe(1);
});

test("a post that its network refuses again and again does not delay other posts", async () => {
  const { mastodon, start } = await startNetworks();
  const { service, news, schedule, at, postOf } = await start({ networks: ["mastodon"] });
  mastodon.refusesText = "Refused";
  const refused = await schedule("Refused", { platforms: ["mastodon"] });
  const later = { platforms: ["mastodon"], scheduled_at: "2027-01-01T01:01:00Z" };
  const others: string[] = [];
  for (let index = 0; index < 10; index += 1) others.push(await schedule(`Post ${index}`, later));
  service.clock.ms = DUE_MS;
  await service.call("GET", "/posts");
  await until(() => news.some(({ state }) => state === "waiting"));
  await at(DUE_MS + MINUTE_MS, others.at(-1) ?? "", "published");
  expect(await postOf(refused)).toMatchObject({ status: "scheduled" });
  expect(mastodon.statuses).toHaveLength(10);
});

test("a wrong secret ends the tries for its account, and its posts stay due until it is too late", async () => {
  const { mastodon, start } = await startNetworks();
  const { service, schedule, postOf, at, news } = await start({ masto: "wrong" });
  const first = await schedule("One");
  const second = await schedule("Two", { platforms: ["mastodon"], scheduled_at: "2027-01-01T02:00:00Z" });
  const shown = async (id: string) =>
    Object(await postOf(id)).results?.find(({ note }: { note?: string }) => note);
  service.clock.ms = DUE_MS;
  await until(async () => {
    service.clock.ms += 5_000;
    return /sends nothing more/.test(String((await shown(first))?.note));
  });
  const tries = mastodon.requests.length;
  // An hour later, the second post says why it waits, and nothing has been sent.
  service.clock.ms = DUE_MS + 61 * MINUTE_MS;
  await until(async () => {
    service.clock.ms += 5_000;
    return (await shown(second)) !== undefined;
  });
  expect(mastodon.requests.length).toBe(tries);
  const metrics = await (await fetch(new URL("/metrics", service.url))).text();
  expect(metrics).toContain("plancast_accounts_refused 1\n");
  expect(news.filter(({ account: name }) => name === "bluesky")).toMatchObject([{ state: "published" }]);
  await at(DUE_MS + 121 * MINUTE_MS, first, "failed");
  await at(DUE_MS + 181 * MINUTE_MS, second, "failed");
  expect(Object(await postOf(second)).results).toMatchObject([
    { error: { message: expect.stringContaining("until it was too late: ") } },
  ]);
  expect(mastodon.requests.length).toBe(tries);
});

test("after it was stopped, publishes posts that are up to two hours late, and fails older posts with the reason", async () => {
  const { bluesky, start } = await startNetworks();
  const folder = await temporaryFolder();
  const first = await start({ folder });
  const early = await first.schedule("Too late", { platforms: ["bluesky"] });
  const late = await first.schedule("In time", {
    platforms: ["bluesky"],
    scheduled_at: "2027-01-01T03:00:00Z",
  });
  await first.service.close();
  const { at, postOf } = await start({ folder });
  await at(DUE_MS + 150 * MINUTE_MS, late, "published");
  expect(await postOf(early)).toMatchObject({
    status: "failed",
    results: [{ error: { message: expect.stringContaining("did not run when the post was due") } }],
  });
  expect([...bluesky.records.values()].map(({ text }) => text)).toEqual(["In time"]);
});

test("never publishes a post after it expires, even if little time has passed", async () => {
  const { bluesky, start } = await startNetworks();
  const folder = await temporaryFolder();
  const first = await start({ folder });
  const only = { platforms: ["bluesky"] };
  const short = await first.schedule("Expired", { ...only, expires: "2027-01-01T01:10:00Z" });
  const long = await first.schedule("In time", { ...only, expires: "2027-01-01T09:00:00Z" });
  await first.service.close();
  const { at, postOf, news } = await start({ folder });
  await at(DUE_MS + 10 * MINUTE_MS, long, "published");
  expect(await postOf(short)).toMatchObject({
    status: "failed",
    expires: "2027-01-01T01:10:00Z",
    results: [{ status: "failed", error: { code: "expired", message: "it expired 2027-01-01T01:10:00Z" } }],
  });
  expect(news.map(({ state }) => state).sort()).toEqual(["expired", "published"]);
  expect([...bluesky.records.values()].map(({ text }) => text)).toEqual(["In time"]);
});

test("a post that expires exactly when it would be late counts as expired", () => {
  const post = { scheduled_at: "2027-01-01T08:00:00Z", expires: "2027-01-01T10:00:00Z" };
  expect(deadlineOf(post, 7_200_000)).toEqual({ at: Date.parse(post.expires), why: "expired" });
});

test("a post that would expire only after it is late counts as late", async () => {
  const { bluesky, start } = await startNetworks();
  const folder = await temporaryFolder();
  const first = await start({ folder });
  const late = await first.schedule("Late", { platforms: ["bluesky"], expires: "2027-01-02T00:00:00Z" });
  await first.service.close();
  const { at, postOf } = await start({ folder });
  await at(DUE_MS + 121 * MINUTE_MS, late, "failed");
  expect(await postOf(late)).toMatchObject({ results: [{ error: { code: "platform_error" } }] });
  expect(bluesky.records.size).toBe(0);
});

test("a post that its network refuses until it expires has expired, with the last reason", async () => {
  const { mastodon, start } = await startNetworks();
  mastodon.watch = () => 503;
  const { service, schedule, postOf, news } = await start({ networks: ["mastodon"] });
  const more = { platforms: ["mastodon"], expires: "2027-01-01T01:20:00Z" };
  const [one, thread] = [await schedule("Hello", more), await schedule("Thread", { ...more, thread: ["2"] })];
  service.clock.ms = DUE_MS;
  await service.call("GET", "/posts");
  await until(() => news.filter(({ state }) => state === "waiting").length === 2);
  service.clock.ms = DUE_MS + 20 * MINUTE_MS;
  await until(async () => Object(await postOf(thread)).status === "failed");
  await until(async () => Object(await postOf(one)).status === "failed");
  const message = expect.stringMatching(/^it expired 2027-01-01T01:20:00Z\. The last attempt failed: .*503/);
  expect(await postOf(one)).toMatchObject({ results: [{ error: { code: "expired", message } }] });
  // Perhaps its beginning is there.
  expect(await postOf(thread)).toMatchObject({ results: [{ error: { code: "platform_error", message } }] });
});

test("refuses a post that expires before its time", async () => {
  const { start } = await startNetworks();
  const { service } = await start();
  const draft = { content: "Hello", platforms: ["bluesky"], scheduled_at: DUE };
  for (const [expires, message] of [
    [DUE, "must be later than scheduled_at"],
    ["2027-01-01", "must be a time in the form"],
  ]) {
    const answer = await service.call("POST", "/posts", { ...draft, expires });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { message: expect.stringContaining(`expires: ${message}`) } },
    ]);
  }
});

test("posts from before an account existed, or for a different account, are never published on it", async () => {
  const { bluesky, mastodon, start } = await startNetworks();
  const folder = await temporaryFolder();
  const simulated = await startTestService({ folder });
  const draft = { content: "Simulated", platforms: ["bluesky"], scheduled_at: DUE };
  const old = idOf((await simulated.call("POST", "/posts", draft)).body);
  await simulated.close();
  const { schedule, postOf, at, service } = await start({ folder });
  expect(await postOf(old)).toMatchObject({
    status: "failed",
    results: [{ error: { message: expect.stringContaining("Apply the row again") } }],
  });
  expect((await service.call("GET", "/posts?status=scheduled")).body).toMatchObject({ data: [] });
  await at(DUE_MS, await schedule("Real"), "published");
  expect([...bluesky.records.values()].map(({ text }) => text)).toEqual(["Real"]);
  expect(mastodon.statuses).toHaveLength(1);
});

test("posts for real accounts are not simulated after the accounts are removed", async () => {
  const { start } = await startNetworks();
  const folder = await temporaryFolder();
  const real = await start({ folder });
  const id = await real.schedule("Real");
  await real.service.close();
  const simulated = await startTestService({ folder });
  simulated.clock.ms = DUE_MS;
  expect((await simulated.call("GET", `/posts/${id}`)).body).toMatchObject({ status: "failed" });
});

test("the process of an apply accepts posts, and publishes nothing", async () => {
  const { bluesky, start } = await startNetworks();
  const folder = await temporaryFolder();
  const idle = await start({ folder, isIdle: true });
  const id = await idle.schedule("Hello", { platforms: ["bluesky"] });
  idle.service.clock.ms = DUE_MS + 1;
  expect(await idle.postOf(id)).toMatchObject({ status: "scheduled" });
  await idle.service.close();
  const { at } = await start({ folder });
  await at(DUE_MS, id, "published");
  expect(bluesky.records.size).toBe(1);
});

test("a webhook that does not answer gets the post once, and the result says so", async () => {
  const { webhook, start } = await startNetworks();
  webhook.watch = (_name, moment) => (moment === "handled" ? "lost-answer" : undefined);
  const { schedule, postOf, at } = await start();
  const id = await schedule("Hello", { platforms: ["webhook"] });
  await at(DUE_MS, id, "failed");
  expect(await postOf(id)).toMatchObject({
    results: [{ error: { message: expect.stringMatching(/^It may be published/) } }],
  });
  expect(webhook.requests).toHaveLength(1);
});

test("after a lost answer, a server without idempotency keys gets the post again only when the first request can no longer arrive", async () => {
  const { mastodon, start } = await startNetworks();
  mastodon.faults.set("/api/v1/statuses", ["lost-request"]);
  const { service, schedule, news, at } = await start({ settleMs: 10 * MINUTE_MS });
  const id = await schedule("Hello", { platforms: ["mastodon"] });
  service.clock.ms = DUE_MS;
  await until(async () => {
    service.clock.ms += 1_000;
    await service.call("GET", "/posts");
    return news.some(({ reason = "" }) => reason.includes("does not show the post yet"));
  });
  service.clock.ms = DUE_MS + 8 * MINUTE_MS;
  await service.call("GET", "/posts");
  expect(mastodon.statuses).toHaveLength(0);
  await at(DUE_MS + 11 * MINUTE_MS, id, "published");
  expect(mastodon.statuses).toHaveLength(1);
});

test.each([
  ["lost-answer", "published", 1],
  ["lost-request", "failed", 0],
] as const)(
  "after a %s and a restart, the network shows whether the post was published before it expired",
  async (fault, status, posts) => {
    const { mastodon, start } = await startNetworks();
    const folder = await temporaryFolder();
    mastodon.faults.set("/api/v1/statuses", [fault]);
    const first = await start({ folder, networks: ["mastodon"], settleMs: MINUTE_MS });
    const more = { platforms: ["mastodon"], expires: "2027-01-01T01:10:00Z" };
    const id = await first.schedule("Hello", more);
    first.service.clock.ms = DUE_MS;
    await first.service.call("GET", "/posts");
    await until(() => first.news.some(({ state }) => state === "unknown"));
    await first.service.close();
    const { at, postOf } = await start({ folder, networks: ["mastodon"] });
    await at(DUE_MS + 20 * MINUTE_MS, id, status);
    expect(mastodon.statuses).toHaveLength(posts);
    if (posts === 0) expect(await postOf(id)).toMatchObject({ results: [{ error: { code: "expired" } }] });
  },
);

test("100 posts that are due at once are all published once, in the order of their times", async () => {
  const { bluesky, start } = await startNetworks();
  const { schedule, at, service } = await start({ networks: ["bluesky"] });
  const ids: string[] = [];
  for (let index = 0; index < 100; index += 1)
    ids.push(await schedule(`Post ${index}`, { platforms: ["bluesky"] }));
  const later = await schedule("Later", { platforms: ["bluesky"], scheduled_at: "2027-01-01T01:00:01Z" });
  await at(DUE_MS + 1_000, later, "published");
  expect(bluesky.records.size).toBe(101);
  const answer = await service.call("GET", "/posts?status=published&limit=200");
  expect(Object(answer.body).data).toHaveLength(101);
});
