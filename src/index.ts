/** The exports of `import … from "plancast"`: a client of the publishing service, and a service for tests. */
import type { ServiceOptions, StartedService } from "./embedded/start-service.ts";

export { createClient, isFailure } from "./service/connect/public-client.ts";
export type {
  Client,
  ClientFailure,
  ClientOptions,
  CreatedPost,
  NewPost,
} from "./service/connect/public-client.ts";
export type {
  AutomationRecord,
  Cancelled,
  Disconnected,
  ImageRecord,
  Listed,
  MediaRecord,
  NotDone,
  PlatformRecord,
  PostRecord,
  TextRecord,
  TriggerRecord,
  WebhookRecord,
  WriteResult,
} from "./service/records.ts";
export type { ResponseMapping as ServiceShape } from "./settings/response-mapping.ts";
export type { RequestLog } from "./service/records.ts";
export type { Wait } from "./model/clock.ts";
export type { ServiceOptions, StartedService } from "./embedded/start-service.ts";

/**
 * Starts plancast's own service in this process, empty and in memory: a test double that ends with the tests. Throws a
 * failure (see `isFailure`) for invalid options, or a port that is taken.
 */
export async function startService(options?: ServiceOptions): Promise<StartedService> {
  // Loaded on demand: most scripts only use the client.
  const service = await import("./embedded/start-service.ts");
  return service.startService(options);
}
