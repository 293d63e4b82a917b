/** The exports of `import … from "plancast/testing"`: a service for tests of other programs. */
import type { ServiceOptions, StartedService } from "./embedded/start-service.ts";

export type { ServiceOptions, StartedService } from "./embedded/start-service.ts";

/**
 * Starts plancast's own service in this process, empty and in memory: a test double that ends with the tests. Throws a
 * failure (see `isFailure`) for invalid options, or a port that is taken.
 */
export async function startService(options?: ServiceOptions): Promise<StartedService> {
  // Loaded on demand: most scripts only use the client.
  const service = await import("./embedded/start-service.ts");
  return service.startTestService(options);
}
