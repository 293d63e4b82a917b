/** Which service the environment and plancast.yaml name. Without the code that opens it, which most commands do not need. */

import { Failure } from "../../model/failure.ts";
import { serviceTypeFacts } from "../../model/service-interface.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";

/** The service's address: a URL, `embedded` or `repository`; undefined if none is configured. */
export function addressIn({ config }: Pick<Project, "config">, env: Env): string | undefined {
  return env["PLANCAST_BASE_URL"] || config.service.url || serviceTypeFacts(config.service.type)?.url;
}

/** Throws a Failure if none is configured. */
export function configuredAddress(project: Project, env: Env): string {
  const url = addressIn(project, env);
  if (url !== undefined) return url;
  throw notConfigured(project.file);
}

/** The address of the Redis through which machines share; undefined if there is none. */
export function configuredRedis({ config }: Project, env: Env): string | undefined {
  return env["PLANCAST_REDIS_URL"] || config.service.share;
}

/** The embedded service is never a fallback: a CI job without an address must not look successful. */
function notConfigured(file: string): Failure {
  return new Failure(
    "service/not-configured",
    "No publishing service is configured.",
    `Set \`service: { url: https://… }\` in ${file}, or PLANCAST_BASE_URL, to the service's address. To try plancast on this machine only, set \`service: { url: embedded }\`.`,
  );
}
