/**
 * Reads the calendars in test/corpus with three amounts of settings, prints the shares of posts that are right, and
 * writes them into docs/calendars.md.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [`${ROOT}node_modules/vitest/vitest.mjs`, "run", "--project", "main", "test/corpus"],
  { cwd: ROOT, stdio: "inherit", env: { ...process.env, CORPUS_WRITE: "1" } },
);
spawnSync(process.execPath, [
  `${ROOT}node_modules/prettier/bin/prettier.cjs`,
  "--write",
  `${ROOT}docs/calendars.md`,
]);
process.exitCode = status ?? 1;
