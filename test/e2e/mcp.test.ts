/** The built server as an assistant's program starts it: with the client of the protocol's own library. */

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { callerOf, connectClient, dataOf } from "../support/assistant.ts";
import { makeProject } from "../support/project.ts";
import { runProcess, startProcess } from "../support/run-process.ts";
import manifest from "../../package.json" with { type: "json" };

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

test("answers the protocol's own client, and reads the package's documentation", async () => {
  const { root } = await makeProject({ config: { timezone: "Europe/Paris" } });
  const args = [new URL(`../../${manifest.bin.plancast}`, import.meta.url).pathname, "mcp"];
  const client = await connectClient(
    new StdioClientTransport({ command: process.execPath, args, cwd: root, stderr: "ignore" }),
  );
  expect(client.getServerVersion()).toMatchObject({ name: "plancast", version: manifest.version });
  const rules = await callerOf(client)("rules");
  expect(dataOf(rules.text)).toMatchObject({ version: 1, rules: expect.any(Array) });
  const { contents } = await client.readResource({ uri: "plancast://docs/README.md" });
  expect(contents).toHaveLength(1);
});

test("writes only messages to stdout, and ends with its stdin", async () => {
  const { root } = await makeProject({ config: { timezone: "Europe/Paris" } });
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "validate", arguments: {} } };
  const input = `${JSON.stringify(INITIALIZE)}\nnot a message\n${JSON.stringify(call)}\n`;
  const { code, stdout } = await runProcess(["mcp"], { cwd: root, input });
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(messages).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
  ]);
  expect(code).toBe(0);
});

test("without a project, says so on stderr, and prints nothing on stdout", async () => {
  const { root } = await makeProject({ config: false });
  const { code, stdout, stderr } = await startProcess(["mcp"], { cwd: root }).ended;
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("project/not-found")]);
});
