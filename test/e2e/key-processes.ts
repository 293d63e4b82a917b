/** Starts the built command where only the checkout, or a different origin than the lockfile's, would get the key. */
import { join } from "node:path";
import { expect } from "vitest";
import { KEY, keyProject, startListener } from "../support/key-commands.ts";
import { type ProcessOptions, runProcess } from "../support/run-process.ts";

/** Where nobody confirmed the origin that would get the key. */
const PLACES = [
  "in CI",
  "outside of CI",
  "where the environment names a different origin than the lockfile",
] as const;

export type Place = (typeof PLACES)[number];

/** Runs the built command in these places. By default, in all places. */
export async function expectNoKeySent(line: string, places: readonly Place[] = PLACES): Promise<void> {
  const args = line.split(" ");
  const listener = await startListener();
  const project = await keyProject({ url: listener.origin }, listener.origin);
  const other = await keyProject({ url: "https://service.example" }, "https://service.example");
  const key = { PLANCAST_API_KEY: KEY, XDG_CONFIG_HOME: join(project.root, "none") };
  const optionsOf = (place: Place): ProcessOptions => {
    if (place === "in CI") return { cwd: project.root, env: { ...key, CI: "true" } };
    if (place === "outside of CI") return { cwd: project.root, env: key };
    return { cwd: other.root, env: { ...key, PLANCAST_BASE_URL: listener.origin } };
  };
  const ended = await Promise.all(places.map((place) => runProcess(args, optionsOf(place))));
  for (const { code, stdout, stderr } of ended) {
    expect(code).toBe(args[0] === "preview" ? 0 : 1);
    expect(stdout + stderr).not.toContain(KEY);
  }
  expect(listener.requests).toEqual([]);
}
