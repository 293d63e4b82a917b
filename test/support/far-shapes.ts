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
  "camel case": {
    service: {
      list: ["data", "items"],
      idKey: "_id",
      idForm: "uuid",
      timeKey: "scheduledAt",
      contentKey: "copy_text",
      statusKey: "state",
      platforms: "coded-networks",
      media: "objects",
      emptyMedia: "absent",
    },
    shape: {
      post: {
        id: "_id",
        scheduled_at: "scheduledAt",
        status: "state",
        platforms: "platforms.network.code",
        content: "copy_text",
        media: "media.id",
      },
      platform: { id: "network.code", platform: "network.code", name: "handle" },
    },
  },
} as const satisfies Record<string, { service: Partial<Shape>; shape: ResponseMapping }>;

/**
 * Services whose records lack a field that plancast compares, each with the `service.shape` that accepts that. With it,
 * plancast compares with the lockfile.
 */
export const SPARSE_SHAPES = {
  "no content": { service: { omit: ["content"] }, shape: { post: { content: "content" } } },
  "no platforms": { service: { omit: ["platforms"] }, shape: { post: { platforms: "platforms" } } },
  "no time": { service: { omit: ["time"] }, shape: { post: { scheduled_at: "scheduled_at" } } },
  "no media": { service: { omit: ["media"] }, shape: {} },
  "ids only": {
    service: { omit: ["content", "platforms", "time", "media", "status"] },
    shape: { post: { content: "content", platforms: "platforms", scheduled_at: "scheduled_at" } },
  },
} as const satisfies Record<string, { service: Partial<Shape>; shape: ResponseMapping }>;
