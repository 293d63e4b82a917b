/** The folders of the service, from bottom to top: each imports only those below it. */

import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SERVICE_TYPE_NAMES } from "../../src/model/service-interface.ts";

const SERVICE = fileURLToPath(new URL("../../src/service/", import.meta.url));

/** Files in the root of `src/service` import only what is below the service. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  ".": [],
  rate: [],
  http: [".", "rate"],
  answers: [".", "rate", "http"],
  endpoints: [".", "rate", "http", "answers"],
  share: [".", "rate", "http"],
  ai: [".", "rate", "http"],
  // Each type of service has a folder with its name.
  ...Object.fromEntries(
    SERVICE_TYPE_NAMES.map((type) => [type, [".", "rate", "http", "answers", "endpoints"]]),
  ),
  connect: [".", "rate", "http", "answers", "endpoints", "share", ...SERVICE_TYPE_NAMES],
};

const FILES = readdirSync(SERVICE, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"));

test("the table names every folder of the service", () => {
  expect([...new Set(FILES.map((path) => posix.dirname(path)))].sort()).toEqual(Object.keys(BELOW).sort());
});

test("each file imports only from its own folder and the folders below", () => {
  const wrong = FILES.flatMap((path) => {
    const folder = posix.dirname(path);
    const text = readFileSync(SERVICE + path, "utf8");
    return [...text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)]
      .map(([, name = ""]) => posix.join(folder, name))
      .filter((target) => !target.startsWith(".."))
      .filter((target) => ![folder, ...(BELOW[folder] ?? [])].includes(posix.dirname(target)))
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("records.ts, whose types the package exports, imports nothing", () => {
  expect(readFileSync(`${SERVICE}records.ts`, "utf8")).not.toMatch(/\bimport\b.*\bfrom\b/);
});
