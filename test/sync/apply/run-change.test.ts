/** The steps of one change: what is on the disk before each request, and what happens when a step is refused. */

import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { onDiskSync } from "../../support/disk-syncs.ts";
import type { ForeignOptions } from "../../support/foreign-service.ts";
import { runCommand } from "../../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const LOCKFILE = "plancast.lock.json";
const JOURNAL = `.plancast/${LOCKFILE}.journal`;
const LATER = "2036-03-01T08:00:00Z";
const POSTS = /^\/v1\/posts/;

function calendar(...rows: { id: string; content: string; at?: string; media?: string }[]): string {
  const cells = rows.map(({ id, content, at = LATER, media = "" }) => [id, at, "linkedin", content, media]);
  return csv(HEADER, ...cells);
}

function start(service: ForeignOptions, rows: string): Promise<Scenario> {
  const files = { [FILE]: rows, "media/a.png": tinyPng(1), "media/b.png": tinyPng(2) };
  return startScenario({ service, files, config: { safety: { max_cancel_percent: 100 } } });
}

interface JournalLine {
  readonly event: string;
  readonly key?: string;
  readonly post_id?: string;
  readonly attempt?: { readonly content: string; readonly media_ids: readonly string[] };
  readonly media?: { readonly id: string };
}

/** Notes what the journal says when each request that changes something arrives at the service. */
function watchJournal({
  service,
  project,
}: Scenario): { method: string; path: string; lines: JournalLine[] }[] {
  const seen: { method: string; path: string; lines: JournalLine[] }[] = [];
  service.faults.plan(({ method, path }) =>
    method === "GET"
      ? undefined
      : {
          kind: "run-before",
          run: async () => {
            const text = await project.read(JOURNAL);
            const lines = text.trimEnd().split("\n");
            seen.push({ method, path, lines: lines.map((line): JournalLine => JSON.parse(line)) });
          },
        },
  );
  return seen;
}

test("each create, cancel and upload is in the journal before the request that depends on it", async () => {
  const scenario = await start(
    {},
    calendar({ id: "one", content: "One", media: "media/a.png" }, { id: "gone", content: "Gone" }),
  );
  const first = watchJournal(scenario);
  await scenario.apply();
  const creates = first.filter(({ path }) => POSTS.test(path));
  expect(creates).toHaveLength(2);
  for (const [index, { lines }] of creates.entries()) {
    const begun = lines.filter(({ event }) => event === "create-started");
    expect(begun.length).toBeGreaterThan(index);
    const uploaded = lines.flatMap(({ event, media }) => (event === "uploaded" ? [media?.id] : []));
    for (const id of begun.flatMap(({ attempt }) => attempt?.media_ids ?? [])) expect(uploaded).toContain(id);
  }
  await scenario.project.write(FILE, calendar({ id: "one", content: "New", media: "media/a.png" }));
  const second = watchJournal(scenario);
  await scenario.apply();
  const cancels = second.filter(({ method }) => method === "DELETE");
  expect(cancels).toHaveLength(2);
  const keys = cancels.map(({ path, lines }) => {
    const id = path.slice("/v1/posts/".length);
    const cancel = lines.find(({ event, post_id }) => event === "cancel-started" && post_id === id);
    if (cancel?.key === "one")
      expect(lines.some(({ event, key }) => event === "created" && key === "one")).toBe(true);
    return cancel?.key;
  });
  expect(new Set(keys)).toEqual(new Set(["gone", "one"]));
});

test("no request leaves while its line of the journal is still on its way to the disk", async () => {
  const { service, project, apply } = await start({}, calendar({ id: "one", content: "One" }));
  const seen: string[] = [];
  let arrived: (() => void) | undefined;
  /** The journal's last event that is certainly on the disk, and the event that is being written. */
  let [certain, next] = ["", ""];
  service.faults.plan(({ method }) => {
    if (method !== "GET") seen.push(`${method} after ${certain}`);
    arrived?.();
    return undefined;
  });
  const holdUp = async (): Promise<void> => {
    const journal = await project.read(JOURNAL).catch(() => "");
    next = /"event":"([^"]*)"[^\n]*\n$/.exec(journal)?.[1] ?? "";
    // Long enough for a request that does not wait for the disk.
    if (next.endsWith("-started"))
      await Promise.race([new Promise<void>((resolve) => (arrived = resolve)), wait(150)]);
  };
  await onDiskSync(async () => void (certain = next), holdUp);
  await apply();
  await project.write(FILE, calendar({ id: "one", content: "New" }));
  await apply();
  expect(seen).toEqual([
    "POST after create-started",
    "POST after create-started",
    "DELETE after cancel-started",
  ]);
});

test.each([
  ["is due late enough to create first", 3_600_000, 2],
  ["is due so soon that the cancel goes first", 60_000, 1],
])(
  "if somebody cancels the old post of a replacement in that moment, no new one stays, also if it %s",
  async (_when, leftMs, creates) => {
    const { service, clock, project, apply, run } = await start({}, calendar({ id: "one", content: "One" }));
    await apply();
    const [old] = service.scheduled();
    clock.advance(Date.parse(LATER) - clock.now() - leftMs);
    await project.write(FILE, calendar({ id: "one", content: "New", at: "2036-03-02T08:00:00Z" }));
    service.faults.plan(({ method, path }) =>
      method === "DELETE" && path.endsWith(old?.id ?? "-")
        ? { kind: "run-before", run: () => void service.cancelByHand(old?.id ?? "") }
        : undefined,
    );
    expect((await run("apply", "--yes")).stdout).toContain("was gone before plancast could cancel it");
    expect(service.scheduled()).toEqual([]);
    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(creates);
    expect((await run("apply", "--yes")).stderr).toContain("apply/missing");
    await apply({ args: ["--allow-recreates", "1"] });
    expect(service.scheduled().map(({ content }) => content)).toEqual(["New"]);
  },
);

test("the waiting time of a create without an answer starts when the answer was lost, not when the create was sent", async () => {
  const { service, clock, project, apply } = await start({}, calendar({ id: "one", content: "One" }));
  service.faults.plan(({ method }) => {
    if (method !== "POST") return undefined;
    clock.advance(10 * 60_000);
    return "drop-before";
  });
  await apply({ exit: 3 });
  const { unknown } = JSON.parse(await project.read(LOCKFILE));
  const lostAt = Date.parse(unknown.one.attempted_at);
  expect(clock.now() - lostAt).toBeLessThan(60_000);
});

test.each(["validation_error", "not_found"] as const)(
  "if the service lost a file and refuses the create (%s), only that file is uploaded again",
  async (requireMedia) => {
    const before = { id: "one", content: "One", media: "media/a.png" };
    const { service, project, apply } = await start({ requireMedia }, calendar(before));
    await apply();
    await project.write(
      FILE,
      calendar(before, { id: "two", content: "Two", media: "media/a.png, media/b.png" }),
    );
    const [lost = ""] = service.media.keys();
    const forget = { kind: "run-before", run: () => service.forgetMedia(lost) } as const;
    service.faults.at(1, forget, { method: "POST", path: "/v1/posts" });
    expect((await apply()).summary).toMatchObject({ created: 1, uploaded: 2, failed: 0 });
    expect(service.counters.uploads).toBe(3);
    const made = service.scheduled().find(({ content }) => content === "Two");
    expect(made?.media_ids.filter((id) => service.media.has(id))).toHaveLength(2);
  },
);

test("a create that is refused for other reasons is not sent again", async () => {
  const before = { id: "one", content: "One", media: "media/a.png" };
  const { service, project, apply } = await start({}, calendar(before));
  await apply();
  await project.write(FILE, calendar(before, { id: "two", content: "Two", media: "media/a.png" }));
  service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST", path: "/v1/posts" });
  expect((await apply({ exit: 1 })).summary).toMatchObject({ created: 0, uploaded: 0, failed: 1 });
  expect(service.scheduled()).toHaveLength(1);
});

test("a post that is due soon is not cancelled before the media of its replacement are there", async () => {
  const { service, clock, project, apply } = await start({}, calendar());
  const at = `${new Date(clock.now() + 10 * 60_000).toISOString().slice(0, 19)}Z`;
  await project.write(FILE, calendar({ id: "one", content: "One", at }));
  await apply();
  clock.advance(9 * 60_000);
  await project.write(FILE, calendar({ id: "one", content: "New", media: "media/a.png" }));
  service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST", path: "/v1/media" });
  await apply({ exit: 1 });
  expect(service.counters.uploads).toBe(0);
  expect(service.scheduled().map(({ content }) => content)).toEqual(["One"]);
});

test("a post due within two minutes is cancelled first even if the service returns no time", async () => {
  const { service, clock, project, apply } = await start({ shape: { omit: ["time"] } }, calendar());
  await project.write(
    "plancast.yaml",
    "timezone: Europe/Paris\nsafety: { max_cancel_percent: 100 }\nservice: { shape: { post: { scheduled_at: scheduled_at } } }\n",
  );
  const at = `${new Date(clock.now() + 10 * 60_000).toISOString().slice(0, 19)}Z`;
  await project.write(FILE, calendar({ id: "one", content: "One", at }));
  await apply();
  clock.advance(9 * 60_000);
  await project.write(FILE, calendar({ id: "one", content: "New" }));
  const writes: string[] = [];
  service.faults.plan(({ method }) => {
    if (method !== "GET") writes.push(method);
    return undefined;
  });
  await apply();
  expect(writes).toEqual(["DELETE", "POST"]);
});

test("a replacement whose old post cannot be cancelled says what is scheduled, and what the next run does", async () => {
  const { service, project, run, apply } = await start({}, calendar({ id: "one", content: "One" }));
  await apply();
  await project.write(FILE, calendar({ id: "one", content: "New" }));
  service.faults.at(1, { kind: "refused", code: "forbidden" }, { method: "DELETE" });
  const { code, stdout } = await run("apply", "--yes", "--format", "json");
  expect(code).toBe(1);
  const [outcome]: { status: string; message: string }[] = JSON.parse(stdout).outcomes;
  expect(outcome?.status).toBe("failed");
  expect(outcome?.message).toMatch(/; the new post is scheduled as .+; the next apply cancels the old one, /);
  await apply();
  expect(service.scheduled().map(({ content }) => content)).toEqual(["New"]);
});

test("if the service forbids some posts and allows others, the run continues", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ id: `row-${index}`, content: `Text ${index}` }));
  const { service, apply } = await start({}, calendar(...rows));
  let creates = 0;
  service.faults.plan(({ method }) => {
    if (method === "POST") creates += 1;
    return method === "POST" && creates > 1 ? { kind: "refused", code: "forbidden" } : undefined;
  });
  expect((await apply({ exit: 1 })).summary).toMatchObject({ created: 1, failed: 19, not_started: 0 });
});

test("a lockfile with a post that the service does not know is corrected", async () => {
  const { service, project, apply } = await start({}, calendar({ id: "one", content: "One" }));
  await apply();
  const [made] = service.scheduled();
  const text = await project.read(LOCKFILE);
  await project.write(LOCKFILE, text.replaceAll(made?.id ?? "?", "post_0"));
  expect((await apply()).summary).toMatchObject({ adopted: 1, created: 0 });
  expect(await project.read(LOCKFILE)).toBe(text);
});

test("a row is missing if the service does not know its post, and the plan shows why", async () => {
  const { service, project, apply, plan } = await start({}, calendar({ id: "one", content: "One" }));
  await apply();
  const [made] = service.scheduled();
  const text = await project.read(LOCKFILE);
  await project.write(LOCKFILE, text.replaceAll(made?.id ?? "?", "post_0"));
  service.edit(made?.id ?? "", { content: "Of somebody else" });
  expect(await plan()).toMatchObject({
    changes: [],
    missing: [
      {
        key: "one",
        post_id: "post_0",
        besides: [made?.id],
        reason: `It was scheduled, but the service no longer has it. Perhaps a newer version is scheduled (the unmanaged post ${made?.id}): pull first.`,
      },
    ],
  });
});

test.each<[string, (scenario: Scenario, id: string) => void, string[], number]>([
  ["nobody touched is replaced", () => {}, ["New"], 0],
  [
    "was just published is not scheduled once more",
    ({ service, clock }) => {
      clock.advance(2 * 60_000);
      service.publishDue();
    },
    [],
    1,
  ],
  [
    "was due and is gone is not scheduled once more",
    ({ service, clock }, id) => {
      clock.advance(2 * 60_000);
      service.cancelByHand(id);
    },
    [],
    1,
  ],
])("a post due within two minutes that %s", async (_what, meanwhile, scheduled, exit) => {
  const scenario = await start({}, calendar());
  const { service, clock, project, apply } = scenario;
  const at = `${new Date(clock.now() + 10 * 60_000).toISOString().slice(0, 19)}Z`;
  await project.write(FILE, calendar({ id: "one", content: "One", at }));
  await apply();
  clock.advance(9 * 60_000);
  await project.write(FILE, calendar({ id: "one", content: "New" }));
  const [old] = service.scheduled();
  service.faults.at(
    1,
    { kind: "run-before", run: () => meanwhile(scenario, old?.id ?? "") },
    { method: "DELETE" },
  );
  const { outcomes } = await apply({ exit });
  expect(outcomes).toMatchObject([{ action: "replace", status: exit === 0 ? "done" : "failed" }]);
  expect(service.scheduled().map(({ content }) => content)).toEqual(scheduled);
});

test("a run that is stopped between the halves of a replacement says so, and the next run cancels the old post", async () => {
  const { service, clock, project, env, apply } = await start({}, calendar({ id: "one", content: "One" }));
  await apply();
  const [old] = service.scheduled();
  await project.write(FILE, calendar({ id: "one", content: "New" }));
  const stop = new AbortController();
  service.faults.at(1, { kind: "run-after", run: () => stop.abort() }, { method: "POST" });
  const args = ["apply", "--yes", "--format", "json"];
  const { stdout } = await runCommand(args, { cwd: project.root, env, clock, stop: stop.signal });
  const [outcome]: { status: string; message: string }[] = JSON.parse(stdout).outcomes;
  expect(outcome?.status).toBe("unknown");
  expect(outcome?.message).toMatch(/^the new post is scheduled as .+; the next apply cancels the old one, /);
  expect(outcome?.message).toContain(old?.id);
  expect(service.scheduled().map(({ content }) => content)).toEqual(["One", "New"]);
  await apply();
  expect(service.scheduled().map(({ content }) => content)).toEqual(["New"]);
  expect(service.counters.creates).toBe(2);
});
