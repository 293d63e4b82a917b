#!/usr/bin/env node
/** The command. Imports only what is needed, because people wait for everything that loads here. */
import { VERSION } from "./version.ts";

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
  // A library may leave a connection open, which would keep the process alive until the other side closes it.
  const endUnlessWriting = (): void => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  };
  setInterval(endUnlessWriting, LEFT_OPEN_MS).unref();
}
