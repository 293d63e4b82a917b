/** The built command in a hostile checkout: whoever it names gets no key. Needs `npm run build`, and `script`. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY, KEY_COMMANDS, keyProject, startListener } from "../support/key-commands.ts";
import { runInTerminal } from "../support/run-in-terminal.ts";
import { runProcess } from "../support/run-process.ts";

test.each(KEY_COMMANDS.map((words) => words.join(" ")))(
  "plancast %s sends no key to an origin that nobody confirmed",
  async (line) => {
    const args = line.split(" ");
    const listener = await startListener();
    const project = await keyProject({ url: listener.origin }, listener.origin);
    const other = await keyProject({ url: "https://service.example" }, "https://service.example");
    const env = { PLANCAST_API_KEY: KEY, XDG_CONFIG_HOME: join(project.root, "none") };
    const ended = await Promise.all([
      runProcess(args, { cwd: project.root, env: { ...env, CI: "true" } }),
      runProcess(args, { cwd: project.root, env }),
      runProcess(args, { cwd: other.root, env: { ...env, PLANCAST_BASE_URL: listener.origin } }),
    ]);
    for (const { code, stdout, stderr } of ended) {
      expect(code).toBe(args[0] === "preview" ? 0 : 1);
      expect(stdout + stderr).not.toContain(KEY);
    }
    expect(listener.requests).toEqual([]);
  },
);

test("on a terminal, a person is asked once, and the answer no sends nothing", async () => {
  const listener = await startListener();
  const { root } = await keyProject({ url: listener.origin });
  const home = await keyProject({});
  const options = { cwd: root, columns: 100, env: { PLANCAST_API_KEY: KEY, HOME: home.root } };
  const ask = (typed: string): Promise<string> =>
    runInTerminal(["posts", "list"], { ...options, answer: { to: "[y/N]", typed } });
  expect(await ask("n")).toContain(`has not been sent to ${listener.origin} before`);
  expect(listener.requests).toEqual([]);
  const inCi = await runInTerminal(["posts", "list"], { ...options, env: { ...options.env, CI: "1" } });
  expect(inCi).not.toContain("[y/N]");
  expect(listener.requests).toEqual([]);
  await ask("y");
  expect(listener.credentials()).toEqual([`Bearer ${KEY}`]);
  expect(await runInTerminal(["posts", "list"], options)).not.toContain("[y/N]");
  expect(listener.credentials()).toHaveLength(2);
});
