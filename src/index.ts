/** What `import … from "plancast"` gives: a client of the publishing service. */
export { createClient, isFailure } from "./client/create-client.ts";
export type { Client, ClientFailure, ClientOptions, CreatedPost, NewPost } from "./client/client.ts";
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
export type { ResponseMapping as ServiceShape } from "./calendar/service-shape.ts";
export type { RequestLog } from "./service/request-log.ts";
export type { Wait } from "./calendar/wait.ts";
