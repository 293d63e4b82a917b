import type { ResponseMapping } from "../../src/settings/response-mapping.ts";
import type { Shape } from "./foreign/shape.ts";
import { UNRELATED } from "./foreign/shapes.ts";

/**
 * Services that can only be read with `service.shape`, each with its shape. "far": nothing is in a usual place, and
 * statuses have unusual words. "flat": lists and records are in the usual places, and fields have unusual names.
 */
export const FAR_SHAPES = {
  far: {
    service: {
      list: ["response", "data", "entries"],
      record: ["response", "data", "entry"],
      mediaRecord: ["response", "data", "entry"],
      listExtras: { notices: [], warnings: [], request: { id: "req_1" } },
      idKey: "ref",
      timeKey: "when.utc",
      contentKey: "copy.text",
      statusKey: "state.name",
      statusWords: { scheduled: "waiting", published: "out", cancelled: "gone", failed: "stuck" },
      platforms: "coded-networks",
      platformsKey: "targets",
      media: "objects",
      mediaKey: "assets",
      extras: UNRELATED,
      cancelAgain: "validation_error",
    },
    shape: {
      list: "response.data.entries",
      record: "response.data.entry",
      post: {
        id: "ref",
        scheduled_at: "when.utc",
        status: "state.name",
        platforms: "targets.network.code",
        content: "copy.text",
        media: "assets.id",
      },
      platform: { id: "network.code", platform: "network.code", name: "handle" },
      status: { waiting: "scheduled", out: "published", gone: "cancelled", stuck: "failed" },
    },
  },
  flat: {
    service: {
      record: ["data"],
      idKey: "ref",
      idForm: "number",
      timeKey: "goes_out",
      times: ["epoch"],
      contentKey: "copy",
      statusKey: "phase",
      platforms: "coded-networks",
      platformsKey: "targets",
      statusFilter: "ignored",
    },
    shape: {
      post: {
        id: "ref",
        scheduled_at: "goes_out",
        status: "phase",
        platforms: "targets.network.code",
        content: "copy",
      },
      platform: { id: "network.code", platform: "network.code", name: "handle" },
    },
  },
} as const satisfies Record<string, { service: Partial<Shape>; shape: ResponseMapping }>;
