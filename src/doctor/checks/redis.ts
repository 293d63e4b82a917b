import { type Check, failing, ok, skipped } from "../check.ts";

export const redisCheck: Check = {
  name: "redis",
  looksAt: "Where `service.share` or `PLANCAST_REDIS_URL` names one: whether it answers.",
  run: ({ service }) => {
    if (service?.redis === undefined) return undefined;
    const { closed, redis: shown, exchanges } = service;
    if (closed?.code.startsWith("share/") === true) return failing(closed.message, closed.hint);
    if (closed !== undefined || exchanges.length === 0)
      return skipped("needs the address of a service, and its key.");
    return ok(`${shown} answers: the limit and the run lock are shared there.`);
  },
};
