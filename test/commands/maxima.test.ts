/** Limits that no checkout can raise, tried with servers that never end. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planSchema } from "../../src/report/documents/runs.ts";
import { afterThisTest } from "../support/after-test.ts";
import { type MediaHost, startMediaHost } from "../support/media-host.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const ENDLESS = { timeout: "8760h", max_size: "999999GiB" };

async function projectWith(...paths: readonly string[]): Promise<{ project: TestProject; host: MediaHost }> {
  const host = await startMediaHost();
  const rows = paths.map((path, index) => [
    `r${index}`,
    `2036-03-0${index + 1} 09:00`,
    "linkedin",
    `Text ${index}`,
    host.url(path),
  ]);
  const project = await makeProject({
    config: {
      timezone: "Europe/Paris",
      service: { url: "embedded", timeout: "8760h" },
      media: { ...ENDLESS, allow_hosts: [`127.0.0.1:${host.port}`] },
    },
    files: { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content", "media"], ...rows) },
  });
  return { project, host };
}

function plan(project: TestProject, env: Readonly<Record<string, string>>): Promise<CommandResult> {
  return runCommand(["plan"], { cwd: project.root, env });
}

test.each([
  ["/drip", { PLANCAST_MAX_DOWNLOAD_TIME: "300ms" }, "did not give the whole file within 300ms"],
  ["/silent", { PLANCAST_MAX_DOWNLOAD_TIME: "300ms" }, "did not give the whole file within 300ms"],
  ["/endless", { PLANCAST_MAX_DOWNLOAD_SIZE: "200kB" }, "is larger than the limit of 200kB"],
  ["/drip", { PLANCAST_MAX_RUN_TIME: "300ms" }, "all downloads of a run may take 300ms together"],
  ["/endless", { PLANCAST_MAX_RUN_SIZE: "200kB" }, "all downloads of a run may have 200kB together"],
  ["/says-huge", { PLANCAST_MAX_RUN_SIZE: "200kB" }, "is larger than the limit of 1GiB"],
])(
  "a download of %s ends within %o, with its address, whatever plancast.yaml says",
  async (path, env, says) => {
    const { project, host } = await projectWith(path);
    const { code, stdout, stderr } = await plan(project, env);
    const text = (stdout + stderr).replaceAll(/\s+/g, " ");
    expect([code, text]).toEqual([1, expect.stringContaining(says)]);
    expect(text).toContain(host.url(path));
  },
);

test("when the time of a run is over, the next run goes on with the downloads that are left", async () => {
  const { project, host } = await projectWith("/one.png", "/drip");
  host.serve("/one.png", tinyPng(1));
  const { code } = await plan(project, { PLANCAST_MAX_RUN_TIME: "1500ms" });
  expect(code).toBe(1);
  expect(await readdir(join(project.root, ".plancast/media/files"))).toHaveLength(1);
  host.serve("/drip", tinyPng(2));
  host.asked.splice(0);
  expect((await plan(project, {})).code).toBe(0);
  expect(host.asked.map(({ url }) => url)).toEqual(["/drip"]);
});

test("after a run has spent its time, no other address is asked", async () => {
  const { project, host } = await projectWith(...Array.from({ length: 9 }, (_, index) => `/drip?${index}`));
  const env = { PLANCAST_MAX_RUN_TIME: "300ms" };
  const { stdout } = await runCommand(["plan", "--format", "json"], { cwd: project.root, env });
  const { problems } = planSchema.parse(JSON.parse(stdout));
  expect(problems.filter(({ message }) => message.includes("may take 300ms together"))).toHaveLength(9);
  // One host gets four connections.
  expect(host.asked).toHaveLength(4);
});

test("a request to a service that drips its answer ends within the maximum", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has an address
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const { project } = await projectWith();
  const env = {
    PLANCAST_BASE_URL: url,
    PLANCAST_API_KEY: "key",
    PLANCAST_MAX_REQUEST_TIME: "200ms",
  };
  const { code, stderr } = await runCommand(["platforms", "list"], { cwd: project.root, env });
  expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining("too slowly")]);
});

test.each(["PLANCAST_MAX_RUN_SIZE", "PLANCAST_MAX_REQUEST_TIME"])(
  "%s must be understandable",
  async (name) => {
    const { project } = await projectWith();
    const { code, stderr } = await plan(project, { [name]: "a lot" });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} is "a lot"`)]);
  },
);
