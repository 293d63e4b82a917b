/** What an assistant sends and what it reads is not trusted: texts of captions, paths, and messages that are none. */

import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import { dataOf, startAssistant } from "../../support/assistant.ts";
import { startForeignService } from "../../support/foreign-service.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { CAPTION, KEYS, startWorld } from "./assistant-world.ts";

test("captions cannot leave their marks, and hidden characters in them are visible", async () => {
  const { assistant, hash } = await startWorld();
  const { text } = await assistant.call("plan");
  const [, mark = ""] = /^--- data ([0-9a-f]{24}) ---$/m.exec(text) ?? [];
  const [own = "", ...rest] = text.split("--- data ");
  expect(rest).toHaveLength(1);
  expect(own).toContain(hash);
  expect(own).not.toContain("SYSTEM");
  expect(text.match(/^--- end of data .*$/gm)).toEqual([`--- end of data ${mark} ---`]);
  expect(text).not.toMatch(/[\u{E0000}-\u{E007F}\u202E]/u);
  expect(JSON.stringify(dataOf(text))).toContain(JSON.stringify(CAPTION).slice(1, -1));
});

test("the list of calendars shows hidden characters in their names", async () => {
  const { assistant, project } = await startWorld();
  await project.write("calendars/a\u202Eb\u{E0041}.csv", "id\n");
  const { resources } = await assistant.client.listResources();
  expect(resources.map(({ name }) => name)).toContain(String.raw`calendars/a\u{202e}b\u{e0041}.csv`);
});

test("write_draft writes nothing outside the project's calendars, and replaces no file", async () => {
  const { assistant, project } = await startWorld();
  const outside = await tempFolder({ "kept.txt": "kept" });
  await symlink(outside, join(project.root, "calendars", "linked"));
  await mkdir(join(project.root, ".git"));
  const before = await project.tree();
  const codes = new Map<string, string>();
  for (const calendar of [
    "../other/calendars/a.csv",
    "/etc/calendars/a.csv",
    "calendars/linked/a.csv",
    "calendars/../.git/a.csv",
    ".plancast/a.csv",
    "plancast.yaml",
    "notes/a.csv",
    "calendars/a.sh",
    "calendars/march.csv",
    "calendars/a\0.csv",
    "calendars/a\nb.csv",
    "calendars/\u202Evsc.a.csv",
  ]) {
    const post = { scheduled_at: "2036-05-01 09:00", platforms: ["twitter"], content: "x" };
    const { isError, text } = await assistant.call("write_draft", { calendar, posts: [post] });
    expect([calendar, isError]).toEqual([calendar, true]);
    codes.set(calendar, /"code": "([^"]+)"/.exec(text)?.[1] ?? text);
  }
  expect(Object.fromEntries(codes)).toMatchObject({
    "../other/calendars/a.csv": "disk/outside",
    "/etc/calendars/a.csv": "disk/outside",
    "calendars/linked/a.csv": "disk/linked",
    "calendars/../.git/a.csv": "disk/outside",
    "notes/a.csv": "calendar/not-in-project",
    "calendars/march.csv": "write/exists",
  });
  expect(await project.tree()).toEqual(before);
  expect(await readdir(outside)).toEqual(["kept.txt"]);
});

test("no tool and no resource reads a file outside the project", async () => {
  const { assistant, project } = await startWorld();
  const outside = await tempFolder({ "secret.csv": "content\nhunter2\n" });
  await symlink(outside, join(project.root, "linked"));
  for (const calendar of [`${outside}/secret.csv`, "../secret.csv", "linked/secret.csv", "/etc/passwd"]) {
    for (const [name, args] of [
      ["columns", { calendar }],
      ["validate", { calendars: [calendar] }],
      ["plan", { calendars: [calendar] }],
      ["status", { calendars: [calendar] }],
      ["preview", { calendars: [calendar] }],
      ["write_draft", { calendar, row: "2", content: "x" }],
    ] as const)
      expect((await assistant.call(name, args)).text).not.toMatch(/hunter2|root:/);
    const uri = `plancast://calendars/${encodeURIComponent(calendar)}`;
    const { contents } = await assistant.client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain("calendar/not-in-project");
  }
  const page = assistant.client.readResource({ uri: "plancast://docs/../package.json" });
  await expect(page).rejects.toThrow("not found");
});

test("the key goes only to an address that somebody confirmed", async () => {
  const world = await startWorld();
  const second = await startForeignService({ keys: KEYS, now: world.clock.now });
  afterThisTest(() => second.close());
  await world.project.write("plancast.yaml", `service: { url: "${second.url}" }\ntimezone: Europe/Paris\n`);
  const env = { ...world.personEnv, PLANCAST_BASE_URL: "" };
  const { call } = await startAssistant({ cwd: world.project.root, env, clock: world.clock });
  const answer = await call("plan");
  expect(answer).toEqual({ isError: true, text: expect.stringContaining("service/url-not-confirmed") });
  expect(answer.text).not.toContain("sk_one");
  expect(second.requests).toEqual([]);
});

test("lines that are not messages change nothing, and the next message is answered", async () => {
  const { assistant, service } = await startWorld();
  for (const text of [
    "",
    "{",
    "[]",
    "null",
    '{"jsonrpc":"1.0","id":1,"method":"tools/call"}',
    '[{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"apply","arguments":{}}}]',
    '{"jsonrpc":"2.0","id":8,"method":"confirm","params":{}}',
    "\0",
  ])
    assistant.send(`${text}\n`);
  expect((await assistant.call("validate")).isError).toBe(false);
  expect(assistant.running.stderr()).toContain("not JSON-RPC");
  expect(service.scheduled()).toEqual([]);
});

test("texts that are too long are refused, and a line without an end stops the server", async () => {
  const { assistant } = await startWorld();
  const row = { calendar: "calendars/march.csv", row: "idea", content: "x".repeat(60_000) };
  expect((await assistant.call("write_draft", row)).isError).toBe(true);
  assistant.send("x".repeat(11 * 1024 * 1024));
  const { code, stderr } = await assistant.running.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("more than 10 MB")]);
});
