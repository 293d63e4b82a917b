// Loaded before the command: its waits never end, and keep nothing alive.
import timers from "node:timers/promises";
import { syncBuiltinESMExports } from "node:module";

timers.setTimeout = () => new Promise(() => undefined);
syncBuiltinESMExports();
