/** Every alert is provoked once and sent once, on real servers for a chat, a webhook and mails. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { SHAPES } from "../support/foreign/shapes.ts";
import type { StoredPost } from "../support/foreign/post-book.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type CommandResult, runCommand, startCommand } from "../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";

const NOW = Date.parse("2036-03-01T08:00:00Z");
const HOUR_MS = 3_600_000;
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const ROWS = [
  ["launch", "2036-03-01 10:00", "linkedin, twitter", "Launch"],
  ["reel", "2036-03-01 10:00", "instagram", "Reel"],
  ["late", "2036-03-01 10:00", "twitter", "Late"],
  ["gone", "2036-03-05 10:00", "twitter", "Gone"],
  ["other", "2036-03-05 11:00", "twitter", "Other"],
  ["calm", "2036-03-05 12:00", "twitter", "Calm"],
];

interface Watched extends Scenario {
  readonly slack: Receiver;
  readonly hook: Receiver;
  readonly mail: MailServer;
  /** Runs the command with the channels. */
  readonly watch: (env?: Record<string, string>, ...args: string[]) => Promise<CommandResult>;
}

async function watched(rows = ROWS): Promise<Watched> {
  const [slack, hook, mail] = [await startReceiver(), await startReceiver(), await startMailServer()];
  const notify = {
    slack: { url_env: "TEAM_CHAT" },
    webhook: { url_env: "TEAM_HOOK" },
    email: { smtp_env: "SMTP_URL", to: "kim@example.com" },
  };
  const started = await startScenario({
    service: { shape: { results: "list" } },
    config: { timezone: "UTC", project: "acme", notify },
    files: { "calendars/a.csv": csv(HEADER, ...rows) },
  });
  started.clock.advance(NOW - started.clock.now());
  await started.apply();
  const usual = {
    ...started.env,
    TEAM_CHAT: slack.url,
    TEAM_HOOK: hook.url,
    SMTP_URL: mail.url,
    PLANCAST_NOTIFY_TO: "Kim@example.com",
  };
  const watch = (env = {}, ...args: string[]): Promise<CommandResult> =>
    runCommand(["watch", ...args], {
      cwd: started.project.root,
      env: { ...usual, ...env },
      clock: started.clock,
    });
  return { ...started, slack, hook, mail, watch };
}

function postOf({ service }: Scenario, text: string): StoredPost {
  const post = [...service.posts.values()].find(({ content }) => content.startsWith(text));
  if (post === undefined) throw new Error(`There is no post ${text}.`);
  return post;
}

/** The kinds that a run found, with whether they are new. */
async function kinds({ watch }: Watched, env?: Record<string, string>): Promise<readonly string[]> {
  const { stdout, stderr } = await watch(env, "--format", "json");
  if (stdout === "") throw new Error(stderr);
  const { alerts }: { alerts: { kind: string; new: boolean; text: string }[] } = JSON.parse(stdout);
  return alerts.map(({ kind, new: isNew }) => `${kind}${isNew ? " (new)" : ""}`).toSorted();
}

test("nothing is sent while all is well", async () => {
  const team = await watched();
  const ended = await team.watch();
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(ended.stderr).toContain("Nothing new. No alert is open.");
  expect([...team.slack.received, ...team.hook.received, ...team.mail.mails]).toEqual([]);
});

test("each kind about posts is sent once on each channel, with its repair, and once that it ended", async () => {
  const team = await watched();
  const { service } = team;
  service.edit(postOf(team, "Launch").id, {
    status: "failed",
    results: [
      { platform: "linkedin", url: "https://linkedin.example/1" },
      { platform: "twitter", error: "Full." },
    ],
  });
  service.edit(postOf(team, "Reel").id, {
    status: "failed",
    results: [{ platform: "instagram", error: "No picture. <!channel> @everyone" }],
  });
  service.cancelByHand(postOf(team, "Gone").id);
  service.edit(postOf(team, "Other").id, { content: "Somebody's words" });
  team.clock.advance(3 * HOUR_MS);
  // A create whose answer is lost, and a row that nobody applied in time.
  await team.project.write("calendars/b.csv", csv(HEADER, ["b", "2036-03-09 10:00", "twitter", "B"]));
  service.faults.plan(({ method }) => (method === "POST" ? "drop-before" : undefined));
  await team.apply({ exit: 3, args: ["calendars/b.csv"] });
  await team.project.write(
    "calendars/c.csv",
    csv(HEADER, ["new", "2036-03-01 10:30", "twitter", "Never applied"]),
  );
  const hold = ["hold", "--only", "id=calm", "--reason", "Recall", "--yes"];
  expect(await team.run(...hold)).toMatchObject({ code: 0 });
  const all = ["changed", "failed", "held", "missed", "overdue", "partly", "removed", "unknown"];
  expect(await kinds(team)).toEqual(all.map((kind) => `${kind} (new)`));

  expect(team.slack.received).toHaveLength(1);
  const { text } = z.object({ text: z.string() }).parse(team.slack.received[0]);
  expect(text).toContain("plancast, acme: 8 new alerts");
  expect(text).toContain("Instagram: failed: No picture.".replace("failed: ", ""));
  expect(text).toContain("→ When it may go out, run `plancast release`.");
  expect(text).toContain("&lt;!channel&gt;");
  expect(team.hook.received).toMatchObject([{ version: 1, project: "acme", open: 8, solved: [] }]);
  expect(team.mail.mails).toMatchObject([{ from: "<team@example.com>", to: ["<kim@example.com>"] }]);
  expect(team.mail.mails[0]?.text).toContain("Subject: plancast, acme: 8 new alerts");

  expect(await kinds(team)).toEqual(all);
  expect(await team.watch()).toMatchObject({ code: 1, stdout: "" });
  expect(team.slack.received).toHaveLength(1);

  // The service publishes the late post after all: only that is news.
  service.edit(postOf(team, "Late").id, { status: "published" });
  expect(await team.watch()).toMatchObject({ code: 1, stdout: expect.stringContaining("1 solved") });
  await team.watch();
  expect(team.slack.received).toHaveLength(2);
  expect(team.mail.mails).toHaveLength(2);
  // After a week, nobody needs to know.
  team.clock.advance(20 * 24 * HOUR_MS);
  expect(await team.watch()).toMatchObject({ code: 0, stdout: "" });
  expect(team.slack.received).toHaveLength(2);
});

test.each(Object.entries(SHAPES))("finds nothing changed on a service with %s", async (_name, shape) => {
  const started = await startScenario({
    service: { shape },
    config: { timezone: "UTC" },
    files: { "calendars/a.csv": csv(HEADER, ...ROWS) },
  });
  await started.apply();
  const { alerts } = await started.json(0, "watch");
  expect(alerts).toEqual([]);
});

test("a refused key is an alert once, and alerts about posts do not end with it", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  expect(await kinds(team)).toEqual(["removed (new)"]);
  const wrong = { PLANCAST_API_KEY: "another-key" };
  expect(await kinds(team, wrong)).toEqual(["credentials (new)"]);
  expect(await kinds(team, wrong)).toEqual(["credentials"]);
  expect(await kinds(team)).toEqual(["removed"]);
  expect(team.hook.received).toMatchObject([
    { new: [{ kind: "removed" }] },
    { new: [{ kind: "credentials" }] },
    { new: [], solved: [expect.stringContaining("key")] },
  ]);
  expect(JSON.stringify(team.hook.received)).not.toContain("another-key");
});

test("a service that does not answer is an alert when the next look finds it, too", async () => {
  const team = await watched();
  await team.service.close();
  expect(await kinds(team)).toEqual(["unreachable"]);
  expect(team.slack.received).toEqual([]);
  expect(await kinds(team)).toEqual(["unreachable (new)"]);
  expect(team.slack.received).toHaveLength(1);
});

test("an account that refuses its secret is an alert once, and its end, too", async () => {
  const team = await watched();
  let status = 401;
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        status === 401 ? { error: "revoked" } : { id: "1", acct: "kim", url: "https://m.example/@kim" },
      ),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const accounts = { press: { network: "mastodon", server: url, token_env: "PRESS" } };
  const config = { timezone: "UTC", accounts, notify: { slack: { url_env: "TEAM_CHAT" } } };
  await team.project.write("plancast.yaml", JSON.stringify(config));
  const env = { PRESS: "a-secret-token", PLANCAST_TRUSTED_ORIGINS: `${url}=PRESS` };
  expect(await kinds(team, env)).toEqual(["account (new)"]);
  expect(await kinds(team, env)).toEqual(["account"]);
  status = 200;
  expect(await kinds(team, env)).toEqual([]);
  expect(team.slack.received).toHaveLength(2);
  expect(JSON.stringify(team.slack.received)).not.toContain("a-secret-token");
});

test("errors in a calendar are an alert once", async () => {
  const team = await watched();
  await team.project.write("calendars/b.csv", csv(HEADER, ["x", "tomorrow", "twitter", "X"]));
  expect(await kinds(team)).toEqual(["calendars (new)"]);
  expect(await kinds(team)).toEqual(["calendars"]);
});

test("a channel that fails hears it at the next look, and the others hear nothing twice", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  team.slack.answers.push(404);
  team.mail.refuse = "550 no such box";
  const ended = await team.watch();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("error notify/not-sent\n  Slack did not take the alerts");
  expect(ended.stderr).toContain("The mail server did not take the alerts");
  expect(ended.stderr).not.toContain(new URL(team.slack.url).pathname);
  team.mail.refuse = undefined;
  await team.watch();
  expect([team.slack.received, team.hook.received, team.mail.mails].map(({ length }) => length)).toEqual([
    2, 1, 1,
  ]);
});

test("a channel without its secret is an error that names the variable; the others get the alert", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  const ended = await team.watch({ TEAM_CHAT: "", SMTP_URL: "smtps://kim:se%cret@mail.example" });
  expect(ended.stderr).toContain("TEAM_CHAT, the secret of notify.slack, is empty.");
  expect(ended.stderr).toContain("The mail server in SMTP_URL has a % that is not written as %25.");
  expect(ended.stderr).not.toContain("cret@");
  expect(team.hook.received).toHaveLength(1);
});

test("a wrong password of the mail server is not repeated, in no form", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  const wrong = team.mail.url.replace("pass%20word", "other-secret");
  const { stderr } = await team.watch({ SMTP_URL: wrong });
  expect(stderr).toContain("535");
  expect(stderr).not.toContain("other-secret");
  expect(stderr).not.toContain(Buffer.from("\0team@example.com\0other-secret").toString("base64"));
});

test("mails go only to addresses that a person or the environment confirmed", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  const ended = await team.watch({ PLANCAST_NOTIFY_TO: "boss@example.com" });
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("error notify/not-confirmed");
  expect(ended.stderr).toContain("PLANCAST_NOTIFY_TO=kim@example.com");
  expect([...team.slack.received, ...team.mail.mails]).toEqual([]);

  const home = join(team.project.root, "..", "home-of-kim");
  const person = {
    cwd: team.project.root,
    clock: team.clock,
    env: { ...team.env, SMTP_URL: team.mail.url, XDG_CONFIG_HOME: home },
  };
  const asked: string[] = [];
  const answer = (question: string): boolean => asked.push(question) > 0;
  await runCommand(["watch"], { ...person, terminal: { answer } });
  expect(asked.filter((question) => question.includes("kim@example.com"))).toHaveLength(1);
  expect(team.mail.mails).toHaveLength(1);
  await runCommand(["watch"], { ...person, terminal: { answer } });
  expect(asked.filter((question) => question.includes("kim@example.com"))).toHaveLength(1);
});

test("refuses an address with a line break or a second recipient", async () => {
  const team = await watched();
  for (const to of [
    "kim@example.com\nBcc: x@example.com",
    "kim@example.com,x@example.com",
    "Kim <kim@example.com>",
  ]) {
    const notify = { email: { smtp_env: "SMTP_URL", to } };
    await team.project.write("plancast.yaml", JSON.stringify({ notify }));
    expect((await team.watch()).stderr, to).toContain("must be an e-mail address");
  }
});

test("a damaged record is refused, because everything would be sent again", async () => {
  const team = await watched();
  team.service.cancelByHand(postOf(team, "Gone").id);
  await team.watch();
  expect(JSON.parse(await readFile(join(team.project.root, ".plancast/alerts.json"), "utf8"))).not.toEqual(
    {},
  );
  await team.project.write(".plancast/alerts.json", "{");
  expect((await team.watch()).stderr).toContain("error disk/state-invalid");
  expect(team.slack.received).toHaveLength(1);
});

test("--every looks again until it is stopped, and takes no nonsense", async () => {
  const team = await watched();
  const { root } = team.project;
  const env = { ...team.env, PLANCAST_NOTIFY_TO: "kim@example.com", TEAM_CHAT: team.slack.url };
  const running = startCommand(["watch", "--every", "15m"], { cwd: root, env, clock: team.clock });
  await running.waitFor(/Nothing new[^]*Nothing new/);
  running.stop();
  expect(await running.ended).toMatchObject({ code: 0 });
  expect((await team.watch({}, "--every", "5s")).stderr).toContain("at least 1m");
  expect((await team.watch({}, "--every", "5m", "--once")).stderr).toContain(
    "You cannot combine --every and --once",
  );
});
