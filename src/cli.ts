#!/usr/bin/env node
/** The command. Imports only what is needed, because people wait for everything that loads here. */
import { lostOutputText } from "./problems/output-texts.ts";
import { VERSION } from "./model/version.ts";

surviveLostOutput();

/** Interval of looking for what keeps the process alive after its command, in ms. */
const LEFT_OPEN_MS = 500;

const [first, ...others] = process.argv.slice(2);
if ((first === "--version" || first === "-v") && others.length === 0) {
  process.stdout.write(`${VERSION}\n`);
} else if (first === "--complete") {
  // Called by the scripts of `plancast completion`.
  const { complete } = await import("./commands/complete.ts");
  process.stdout.write(await complete(others, process.cwd()));
} else {
  const { main } = await import("./commands/main.ts");
  process.exitCode = await main(process.argv.slice(2));
  setInterval(endUnlessWriting, LEFT_OPEN_MS).unref();
}

/**
 * Output that nobody gets does not stop a run halfway. A closed pipe (`plancast plan | head`) is usual. If writing
 * fails for another reason, such as a full disk, the run says so and exits with 1.
 */
function surviveLostOutput(): void {
  let isReported = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || isReported) return;
      isReported = true;
      process.on("exit", () => (process.exitCode ||= 1));
      if (stream === process.stdout) process.stderr.write(lostOutputText(error.message));
    });
}

/** A library may leave a connection open, which would keep the process alive until the other side closes it. */
function endUnlessWriting(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
