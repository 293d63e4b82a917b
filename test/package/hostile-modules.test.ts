/** Packages in the user's node_modules are never loaded. Needs `npm run build`. */
import { cp, readFile, readdir } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../support/doc-pages.ts";
import { makeProject } from "../support/project.ts";
import { startRedis } from "../support/redis-server.ts";
import { runProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";

/** Modules that the built files import by a literal name. */
async function namesInBundle(): Promise<string[]> {
  const folder = inRepository("dist");
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".js"));
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:\brequire\w*|_require|resolve|import|\bfrom|"\)) ?\(? ?"([\w@][\w@/.:-]*)"/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(names)].filter((name) => !isBuiltin(name)).sort();
}

test("no package in the project's node_modules is loaded, whatever its name", async () => {
  const names = new Set([...(await namesInBundle()), "redis", "ioredis"]);
  expect(names).toContain("picomatch");
  const redis = await startRedis();
  const { project, env } = await startScenario({
    files: {
      "calendars/a.csv": csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "twitter", "Hi"]),
      "calendars/b.yaml": "- { scheduled_at: 2036-03-02 10:00, platforms: twitter, content: Hi }\n",
      ...Object.fromEntries([...names].flatMap((name) => hostilePackage(name))),
    },
  });
  // The folder where npm would install it, so that it finds the packages next to it.
  const home = join(project.root, "node_modules/plancast");
  await cp(inRepository("dist"), join(home, "dist"), { recursive: true });
  await cp(inRepository("package.json"), join(home, "package.json"));
  const script = join(home, "dist/cli.js");
  const run = (...args: string[]) =>
    runProcess(args, {
      cwd: project.root,
      script,
      env: { ...env, PLANCAST_REDIS_URL: redis.url, SEEN: join(project.root, "seen") },
    });
  expect(await run("validate")).toMatchObject({ code: 0 });
  expect(await run("convert", "calendars/a.csv", "--out", "c.xlsx")).toMatchObject({ code: 0 });
  expect(await run("validate", "c.xlsx")).toMatchObject({ stderr: expect.any(String) });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await run("doctor")).toMatchObject({ stderr: expect.any(String) });
  await expect(readFile(join(project.root, "seen"), "utf8")).rejects.toThrow("ENOENT");
});

test("this test would notice a package that is loaded", async () => {
  const project = await makeProject({
    config: false,
    files: {
      ...Object.fromEntries(hostilePackage("picomatch")),
      "load.cjs": 'require("picomatch");',
    },
  });
  const seen = join(project.root, "seen");
  await runProcess([], { cwd: project.root, script: join(project.root, "load.cjs"), env: { SEEN: seen } });
  expect(await readFile(seen, "utf8")).toBe("picomatch\n");
});

/** A package that writes its name into a file when it is loaded. */
function hostilePackage(name: string): [string, string][] {
  const folder = `node_modules/${name}`;
  const code = `require("node:fs").appendFileSync(process.env.SEEN, ${JSON.stringify(`${name}\n`)});`;
  return [
    [`${folder}/package.json`, JSON.stringify({ name, main: "index.cjs" })],
    [`${folder}/index.cjs`, code],
  ];
}
