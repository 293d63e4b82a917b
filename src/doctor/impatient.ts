import type { Project } from "../calendar/config.ts";
import { durationMs } from "../calendar/duration.ts";

/** An answer that takes longer than this is told as none, ms: nobody waits for a doctor as for an apply. */
const MAX_TIMEOUT_MS = 10_000;

/** The project, with no more patience than a doctor has. */
export function withTimeoutCap(project: Project): Project {
  const { service } = project.config;
  if (durationMs(service.timeout) <= MAX_TIMEOUT_MS) return project;
  return {
    ...project,
    config: { ...project.config, service: { ...service, timeout: `${MAX_TIMEOUT_MS}ms` } },
  };
}
