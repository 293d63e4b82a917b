/** Each command that sends the key, built, in each place that did not confirm the origin. */
import { test } from "vitest";
import { KEY_COMMANDS } from "../support/key-commands.ts";
import { expectNoKeySent } from "./key-processes.ts";

test.each(KEY_COMMANDS.map((words) => words.join(" ")))(
  "plancast %s sends no key to an origin that nobody confirmed",
  (line) => expectNoKeySent(line),
);
