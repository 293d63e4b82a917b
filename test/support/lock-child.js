// Tries to take the lock that the argument names, says "held" or "refused", and stays until it is killed.
import { acquireProcessLock, LockHeld } from "../../dist-dev/disk/process-lock.js";
import { Place } from "../../dist-dev/disk/place.js";

try {
  await acquireProcessLock(Place.checked(process.argv[2]), { who: String(process.pid) });
  process.send?.("held");
} catch (error) {
  process.send?.(error instanceof LockHeld ? "refused" : String(error));
}
setInterval(() => undefined, 1000);
