/**
 * The demo of the README: plans and applies the example calendars on the embedded service, from a clean state. Then
 * it plans again, and finds nothing to do.
 */
import { inSandbox } from "./sandbox.js";

const color = process.stdout.isTTY ? ["--color"] : [];

await inSandbox(({ plancast }) => {
  for (const args of [["plan"], ["apply", "--yes"], ["plan"]]) {
    process.stdout.write(`\n$ plancast ${args.join(" ")}\n`);
    plancast([...args, ...color], "inherit");
  }
});
