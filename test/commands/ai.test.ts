/** `ai text` and `ai image` send one request, and print or save its result. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { startScenario, type Scenario } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

async function answered(body: unknown): Promise<Scenario> {
  const scenario = await startScenario({ files: {}, config: { platforms: { x: "twitter" } } });
  scenario.service.faults.plan(({ path }) =>
    path.startsWith("/v1/ai/")
      ? { kind: "answer-before", answer: { status: 200, body: JSON.stringify(body) } }
      : undefined,
  );
  return scenario;
}

const TEXT = ["ai", "text", "--prompt", "Fern", "--platform", "X"];
const IMAGE = ["ai", "image", "--prompt", "Fern"];

test("prints the text as it is, or in a JSON document", async () => {
  const scenario = await answered({ data: { text: "Now\n\u001b[31mred" } });
  const plain = await scenario.run(...TEXT);
  expect([plain.code, plain.stdout]).toEqual([0, "Now\n\u001b[31mred\n"]);
  const { stdout } = await scenario.run(...TEXT, "--format", "json");
  expect(JSON.parse(stdout)).toEqual({ version: 1, outcome: { status: "done", text: "Now\n\u001b[31mred" } });
});

test("an answer cannot put commands into a CI job's log", async () => {
  const scenario = await answered({ data: { text: "Now\n::error::PWN\n##vso[task.x]\u001b[2J" } });
  const { stdout } = await runCommand(TEXT, {
    cwd: scenario.project.root,
    env: { ...scenario.env, CI: "true" },
  });
  expect(stdout).toMatch(/^Now\n/);
  expect(stdout).not.toMatch(/^::error|^##vso\[/m);
  expect(stdout).not.toContain("\u001b");
});

test("prints the address of a picture, or saves it with --out", async () => {
  const project = await makeProject({ config: { service: { url: "embedded" } } });
  const run = (...args: string[]): Promise<CommandResult> =>
    runCommand([...IMAGE, "--size", "20x10", ...args], { cwd: project.root });
  expect((await run()).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/media\/\w+\/file\n$/);
  const saved = await run("--out", "fern.png");
  expect([saved.code, saved.stdout]).toEqual([0, "Saved fern.png.\n"]);
  const png = Buffer.from(await project.bytes("fern.png"));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([20, 10]);
  const before = await project.tree();
  const refused = await run("--out", "fern.png");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("write/exists")]);
  expect(await project.tree()).toEqual(before);
  const forced = await run("--out", "fern.png", "--force", "--format", "json");
  expect(JSON.parse(forced.stdout)).toMatchObject({
    outcome: { status: "done", file: "fern.png", bytes: png.length },
  });
  expect(Object.keys(await project.tree()).filter((name) => !name.startsWith(".plancast/"))).toEqual([
    "fern.png",
    "plancast.yaml",
  ]);
});

test("saves a picture from bytes, and refuses bytes that are not a picture", async () => {
  const base64 = Buffer.from(tinyPng()).toString("base64");
  const scenario = await answered({ data: { base64 } });
  expect((await scenario.run(...IMAGE)).stdout).toBe(`data:image/png;base64,${base64}\n`);
  await scenario.run(...IMAGE, "--out", "a.png");
  expect(Buffer.from(await scenario.project.bytes("a.png"))).toEqual(Buffer.from(tinyPng()));
  const other = await answered({ base64: Buffer.from("<html>".repeat(20)).toString("base64") });
  const refused = await other.run(...IMAGE, "--out", "a.png");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not a picture")]);
  expect(Object.keys(await other.project.tree())).not.toContain("a.png");
});

test("does not fetch a picture from another private address, and sends no key there", async () => {
  const elsewhere = await startScenario({ files: {} });
  const scenario = await answered({ url: `${elsewhere.service.origin}/v1/a.png` });
  const { code, stderr } = await scenario.run(...IMAGE, "--out", "a.png");
  expect([code, stderr]).toEqual([1, expect.stringContaining("It is at http://127.0.0.1")]);
  expect(elsewhere.service.requests).toEqual([]);
});

test("does not request a picture that it cannot save, and shows where an unsaved picture is", async () => {
  const base64 = Buffer.from(tinyPng()).toString("base64");
  const scenario = await answered({ base64 });
  const { project, service } = scenario;
  await project.write("file", "no folder");
  const early = await scenario.run(...IMAGE, "--out", "file/a.png");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("disk/not-writable")]);
  expect(service.requests.filter(({ path }) => path.startsWith("/v1/ai/"))).toEqual([]);
  const taken = JSON.stringify({ media_id: "media_7", base64 });
  service.faults.plan(({ path }) => {
    if (!path.startsWith("/v1/ai/")) return undefined;
    writeFileSync(join(project.root, "b.png"), "meanwhile");
    return { kind: "answer-before", answer: { status: 200, body: taken } };
  });
  const late = await scenario.run(...IMAGE, "--out", "b.png");
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("It is at media_7")]);
  expect(await project.read("b.png")).toBe("meanwhile");
});

test("reports wrong arguments, refusals and unknown outcomes", async () => {
  const scenario = await answered({ text: "x" });
  for (const args of [
    ["ai", "text", "--prompt", "a"],
    [...TEXT, "--size", "1x1"],
    [...IMAGE, "--tone", "casual"],
    ["ai", "text"],
  ]) {
    const { code, stderr } = await scenario.run(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("usage/arguments")]);
  }
  scenario.service.faults.at(1, { kind: "refused", code: "validation_error" });
  const refused = await scenario.run(...TEXT, "--format", "json");
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { outcome: { status: "failed" } }]);
  scenario.service.faults.at(1, "drop-after");
  const unknown = await scenario.run(...TEXT);
  expect([unknown.code, unknown.stdout]).toEqual([3, ""]);
  expect(unknown.stderr.replaceAll(/\s+/g, " ")).toContain("may cost money again");
});
