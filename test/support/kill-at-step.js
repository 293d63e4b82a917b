/**
 * Preloaded into the real program (`node --import`): counts its steps, kills it with SIGKILL at one of them, and makes
 * its waits short. The program knows nothing of it. A step is the moment before or after something is done to the disk,
 * the middle of a write, the moments of a request, and the start, the middle and the end of another program.
 *
 * CHAOS_KILL_AT    the step to die at, from 1; none for 0
 * CHAOS_REPORT     file that gets what the step was, or how many there were
 * CHAOS_CLOCK      file with the ms by which the clock is ahead; sleeping sets it forward
 */
import processes from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { fileURLToPath } from "node:url";

const { CHAOS_KILL_AT = "0", CHAOS_REPORT = "", CHAOS_CLOCK = "" } = process.env;
const killAt = Number(CHAOS_KILL_AT);
const { writeFileSync, readFileSync, writeSync } = fs;
let steps = 0;

function isLast() {
  steps += 1;
  return steps === killAt;
}

function die(name) {
  if (CHAOS_REPORT !== "") writeFileSync(CHAOS_REPORT, name);
  process.kill(process.pid, "SIGKILL");
}

function step(name) {
  if (isLast()) die(name);
}

process.on("exit", () => {
  if (CHAOS_REPORT !== "") writeFileSync(CHAOS_REPORT, String(steps));
});

/** What `half` gives is done when the program is to die in the middle. */
function around(object, name, counts = () => true, half) {
  const original = object[name];
  object[name] = async function around(...args) {
    if (!counts(args)) return original.apply(this, args);
    step(`before ${name}`);
    if (half !== undefined && isLast()) {
      half.call(this, args);
      die(`in the middle of ${name}`);
    }
    const result = await original.apply(this, args);
    step(`after ${name}`);
    return result;
  };
}

function writeHalf([data]) {
  const bytes = Buffer.from(data);
  writeSync(this.fd, bytes.subarray(0, Math.floor(bytes.byteLength / 2)));
}

const probe = await promises.open(fileURLToPath(import.meta.url), "r");
const handle = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ["writeFile", "appendFile"]) around(handle, name, undefined, writeHalf);
for (const name of ["truncate", "sync", "datasync"]) around(handle, name);
for (const name of ["mkdir", "rename", "unlink", "rm", "link", "writeFile"]) around(promises, name);
around(promises, "open", ([, flags]) => typeof flags === "string" && /[wa+]/.test(flags));

const { spawn } = processes;
processes.spawn = (...args) => {
  step("before a program");
  const child = spawn(...args);
  step("after the start of a program");
  child.once("close", () => step("after a program"));
  return child;
};

for (const moment of [
  "request:create",
  "client:sendHeaders",
  "request:bodySent",
  "request:headers",
  "request:trailers",
]) {
  diagnostics.subscribe(`undici:${moment}`, () => step(moment));
}

if (CHAOS_CLOCK !== "") {
  const systemNow = Date.now;
  let ahead = Number(readFileSync(CHAOS_CLOCK, "utf8"));
  Date.now = () => systemNow() + ahead;
  timers.setTimeout = (ms, value, options) => {
    ahead += ms;
    writeFileSync(CHAOS_CLOCK, String(ahead));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(value), 2);
      options?.signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(options.signal.reason);
      });
    });
  };
}
syncBuiltinESMExports();
