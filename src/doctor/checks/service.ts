import { EMBEDDED } from "../../settings/config.ts";
import { type Check, failing, ok, skipped } from "../check.ts";

export const serviceCheck: Check = {
  name: "service",
  looksAt: "Its address, and where that comes from.",
  run: ({ service }) => {
    if (service === undefined)
      return skipped("needs a project file that can be read; PLANCAST_BASE_URL names a service as well.");
    const { address: found, source, closed } = service;
    if (typeof found !== "string") return failing(found.message, found.hint);
    // A key or a Redis that is in the way has its own check.
    const isOther = closed !== undefined && !/^(service\/(no-)?key|share\/.*)$/.test(closed.code);
    if (isOther) return failing(closed.message, closed.hint);
    if (found === EMBEDDED) return ok("The embedded one: nothing leaves this machine.");
    return ok(`${found} (${source}).`);
  },
};
