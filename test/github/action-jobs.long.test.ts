/** Each kind of job of the GitHub Action as on a real runner: in bash, with the built command and in real time. */
import { test, vi } from "vitest";
import { startRealWorld } from "../support/github/action-world.ts";
import { cancelled, JOB_KINDS } from "./action-jobs.ts";

// A test is several jobs of several processes each.
vi.setConfig({ testTimeout: 120_000 });

for (const { name, check } of [...JOB_KINDS, cancelled("SIGTERM")]) test(name, () => check(startRealWorld));
