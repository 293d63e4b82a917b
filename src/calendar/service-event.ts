/** The events that the publishing service sends to webhooks. Source: the interface, section 6. */
import { z } from "zod";

export const EVENT_KINDS = ["post.published", "post.failed", "automation.completed"] as const;

/** What an event is sent in. Its data is the event's own. */
export const eventEnvelope = z.object({
  event: z.enum(EVENT_KINDS),
  timestamp: z.iso.datetime().describe("UTC."),
  data: z.record(z.string(), z.unknown()),
});

export type EventEnvelope = z.infer<typeof eventEnvelope>;
