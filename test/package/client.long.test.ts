/** The package as its users get it: packed, installed into an empty folder, type-checked and run. Needs `npm run build`. */

import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { draft, startTestService } from "../support/embedded-service.ts";
import { installFrom, packInto } from "../support/packed.ts";
import { makeProject } from "../support/project.ts";
import { tinyPng } from "../support/tiny-media.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const SCRIPT = `
import { createClient, isFailure, type Post, type ServiceShape } from "plancast";

const shape: ServiceShape = { status: { waiting: "scheduled" } };
const client = createClient({ shape });
const picture = await client.media.upload("a.png");
const mediaIds = picture.result === "done" ? [picture.value.id] : [];
const made = await client.posts.create({
  content: "From a script",
  platforms: ["twitter"],
  scheduledAt: new Date(Date.UTC(2027, 5, 1, 8)),
  mediaIds,
});
const { items }: { readonly items: readonly Post[] } = await client.posts.list({ status: "scheduled" });
const cancelled = made.result === "done" ? await client.posts.cancel(made.value.id) : made;
const accounts = await client.platforms.list();
let code = "none";
try {
  await client.posts.get("no id");
} catch (error) {
  if (isFailure(error)) code = error.code;
}
await client.close();
const shown = { result: made.result, texts: items.map(({ content }) => content), cancelled, code };
process.stdout.write(JSON.stringify({ ...shown, accounts: accounts.items.length > 0 }));
`;

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "out",
  },
  files: ["script.ts"],
};

test("a TypeScript project can install, type-check and run the client", { timeout: 300_000 }, async () => {
  const project = await makeProject({
    config: false,
    files: {
      "package.json": JSON.stringify({ name: "user", private: true, type: "module" }),
      "tsconfig.json": JSON.stringify(TSCONFIG),
      "script.ts": SCRIPT,
      "a.png": tinyPng(),
    },
  });
  const cwd = project.root;
  const { filename } = await packInto(cwd);
  await installFrom(filename, cwd);

  // The compiler and Node's types are the repository's; plancast's own are those of the tarball.
  await symlink(join(ROOT, "node_modules", "@types"), join(cwd, "node_modules", "@types"));
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const checked = await run(process.execPath, [compiler, "-p", "."], { cwd }).catch(({ stdout }) => ({
    stdout,
  }));
  expect(checked.stdout).toBe("");
  await project.write("script.ts", SCRIPT.replace("mediaIds,\n});", "media: mediaIds,\n});"));
  await expect(run(process.execPath, [compiler, "-p", ".", "--noEmit"], { cwd })).rejects.toThrow();

  const service = await startTestService();
  await service.call("POST", "/posts", draft({ content: "Was there" }));
  const env = { ...process.env, PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.keys.write };
  const ran = await run(process.execPath, [join("out", "script.js")], { cwd, env });
  const shown: { texts: string[] } = JSON.parse(ran.stdout);
  expect({ ...shown, texts: shown.texts.toSorted() }).toEqual({
    result: "done",
    texts: ["From a script", "Was there"],
    cancelled: { result: "done", value: "cancelled" },
    code: "service/not-found",
    accounts: true,
  });
});
