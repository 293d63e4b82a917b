import { ok, skipped, failing, type Check } from "../check.ts";

export const redisCheck: Check = ({ service }) => {
  if (service?.redis === undefined) return undefined;
  const { closed, redis: shown, heard } = service;
  if (closed?.code.startsWith("share/") === true) return failing("redis", closed.message, closed.hint);
  if (closed !== undefined || heard.length === 0)
    return skipped("redis", "needs the address of a service, and its key.");
  return ok("redis", `${shown} answers: the limit and the run lock are shared there.`);
};
