#!/usr/bin/env node
/** The command. Nothing is imported before it is known to be needed: somebody waits for what loads here. */
import { VERSION } from "./version.ts";

const [first, ...others] = process.argv.slice(2);
if ((first === "--version" || first === "-v") && others.length === 0) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { main } = await import("./commands/main.ts");
  process.exitCode = await main(process.argv.slice(2));
}
