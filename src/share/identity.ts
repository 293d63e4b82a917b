/**
 * Names in Redis. Whoever can read that Redis sees neither keys nor addresses: names are hashes, and the key for the
 * service is only ever part of what is hashed.
 */
import { createHash } from "node:crypto";

/** The limiter of all processes that use this key of this service. */
export function limiterName(origin: string, key: string): string {
  return `plancast-${hashOf("rate", origin, key)}`;
}

/**
 * The run lock of a project: the same for every checkout of it. The service's key is no part of it, since two runners
 * may hold two keys for one account.
 * @param project what tells this project from others of the same service
 */
export function runLockName(origin: string, project: string): string {
  return `plancast:run:${hashOf("run", origin, project)}`;
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
