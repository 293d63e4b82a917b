/** `npm run simulate`: see `scripts/simulate.js`. */

import { parseArgs } from "node:util";
import { EXCEPTION_NAMES } from "./history.ts";
import { trySeed, warmUp } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    histories: { type: "string" },
    hours: { type: "string" },
    exception: { type: "string" },
    "no-shrink": { type: "boolean" },
    seconds: { type: "string" },
    failures: { type: "string", default: "1" },
  },
});
// CI takes the seed from the commit, so the same commit tries the same histories again.
const seed = Number(values.seed ?? process.env["PROPERTY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const isOne =
  values.seed !== undefined &&
  values.histories === undefined &&
  (values.hours ?? values.seconds) === undefined;
const histories = Number(values.histories ?? (isOne ? 1 : Number.POSITIVE_INFINITY));
const maxMs = Number(values.seconds ?? Number(values.hours ?? 1) * 3_600) * 1_000;
const exception = EXCEPTION_NAMES.find((name) => name === values.exception);
const begin = performance.now();
const totals = { histories: 0, runs: 0, events: 0, failures: 0 };
await warmUp();
console.log(`First seed: ${seed}`);
while (
  totals.histories < histories &&
  performance.now() < begin + maxMs &&
  totals.failures < Number(values.failures)
) {
  const { failure, events, runs } = await trySeed(seed + totals.histories, {
    exception,
    isShrunk: values["no-shrink"] !== true,
  });
  totals.histories += 1;
  totals.events += events;
  totals.runs += runs;
  if (failure === undefined) continue;
  totals.failures += 1;
  console.log(`${failure.story}\nAgain: npm run simulate -- --seed ${failure.seed}\n`);
}
const seconds = (performance.now() - begin) / 1_000;
console.log(
  `${totals.histories} histories, ${totals.runs} runs, ${totals.events} steps in ${seconds.toFixed(1)} s, ` +
    `${totals.failures} of them broke a guarantee`,
);
process.exit(totals.failures === 0 ? 0 : 1);
