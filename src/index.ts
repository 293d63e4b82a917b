/** The exports of `import … from "plancast"`: a client of the publishing service, and a service for tests. */
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
  PostRecord as Post,
  TextRecord,
  TriggerRecord,
  WebhookRecord,
  WriteResult,
} from "./service/records.ts";
export type { ResponseMapping as ServiceShape } from "./settings/response-mapping.ts";
export type { RequestLog } from "./service/records.ts";
export type { Wait } from "./model/clock.ts";
export { type ServiceOptions, type StartedService, startService } from "./testing.ts";
