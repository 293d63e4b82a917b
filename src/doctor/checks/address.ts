import { EMBEDDED } from "../../calendar/config.ts";
import { ok, skipped, failing, type Check } from "../check.ts";

export const addressCheck: Check = ({ service }) => {
  if (service === undefined)
    return skipped(
      "service",
      "needs a project file that can be read; PLANCAST_BASE_URL names a service as well.",
    );
  const { address: found, source, closed } = service;
  if (typeof found !== "string") return failing("service", found.message, found.hint);
  // A key and a Redis that are in the way are told by themselves.
  const isOther = closed !== undefined && !/^(service\/(no-)?key|share\/.*)$/.test(closed.code);
  if (isOther) return failing("service", closed.message, closed.hint);
  if (found === EMBEDDED) return ok("service", "The embedded one: nothing leaves this machine.");
  return ok("service", `${found} (${source}).`);
};
