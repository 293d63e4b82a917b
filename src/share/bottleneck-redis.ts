/**
 * Bottleneck's scripts, which are of 2019, made fit for use. They take the time from whoever calls them, so that a
 * machine whose clock is an hour fast would make all others wait for an hour; here they go by Redis' own clock. And
 * since Redis 7 what `redis.error_reply` is given comes back with `ERR` before it, so that Bottleneck did not know its
 * own errors any more, and did not begin anew where Redis had lost its memory; a table says the same in all versions.
 */
import { Redis } from "ioredis";

const CALLERS_TIME = "local now = tonumber(ARGV[1])";
const SERVERS_TIME =
  "local clock = redis.call('time')\nlocal now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)";
const ERROR_REPLY = /redis\.error_reply\(([^)]*)\)/g;

/** A connection for Bottleneck. Scripts that are run with `eval` are left as they are. */
export class BottleneckRedis extends Redis {
  override defineCommand(...[name, definition]: Parameters<Redis["defineCommand"]>): void {
    if (!definition.lua.includes(CALLERS_TIME)) throw new Error(`${name} takes no time from its caller.`);
    const lua = definition.lua.replace(CALLERS_TIME, SERVERS_TIME).replaceAll(ERROR_REPLY, "{ err = $1 }");
    super.defineCommand(name, { ...definition, lua });
  }
}
