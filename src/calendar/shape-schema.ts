import { z } from "zod";
import type { ResponseMapping, StatusMeaning } from "./service-shape.ts";
import { PATH } from "./shape-path.ts";

const answerPath = z.string().regex(PATH, "names with dots between them, such as data.items");

/** What posts, media, accounts and automations have in common: where the list of them stands, and where a single one. */
const recordPaths = {
  list: answerPath.optional().describe("Of these records alone, over `list` of all."),
  record: answerPath.optional().describe("Of these records alone, over `record` of all."),
};

/** @param what a field that stands at a path */
function fieldPath(what: string) {
  return answerPath.optional().describe(`Where ${what} stands.`);
}

const STATUS_MEANINGS = [
  "scheduled",
  "published",
  "cancelled",
  "failed",
  "draft",
] as const satisfies readonly StatusMeaning[];

/** `service.shape` of the project file, and `shape` of the client. */
export const responseMappingSchema = z
  .strictObject({
    list: answerPath
      .optional()
      .describe("In the answer to a list: where the list stands, such as `data.entries`."),
    record: answerPath
      .optional()
      .describe("In the answer about one record: where the record stands, such as `data.entry`."),
    next: answerPath
      .optional()
      .describe("In the answer to a list: where its next page stands, as an address or a cursor."),
    next_as: z
      .string()
      .regex(/^[\w.~[\]-]+$/, "the name of a query parameter")
      .optional()
      .describe("Query parameter that a cursor is sent back as. Default: cursor."),
    total: answerPath
      .optional()
      .describe("In the answer to a list: where it stands how many there are in all."),
    post: z
      .strictObject({
        ...recordPaths,
        id: fieldPath("a post's id"),
        content: fieldPath("its text"),
        platforms: fieldPath("the platforms that it goes to"),
        scheduled_at: fieldPath("the time at which it is due"),
        media: answerPath.optional().describe("Where the ids of a post's media stand."),
        status: fieldPath("its status"),
      })
      .optional()
      .describe("Where the fields of a post stand, within its record."),
    media: z
      .strictObject({
        ...recordPaths,
        id: fieldPath("a media item's id"),
        type: fieldPath("whether it is an image or a video"),
        url: fieldPath("its address"),
      })
      .optional()
      .describe("Likewise of an item of the media library."),
    platform: z
      .strictObject({
        ...recordPaths,
        id: fieldPath("an account's id"),
        platform: fieldPath("the platform that it is on"),
        name: fieldPath("what people call it"),
      })
      .optional()
      .describe("Likewise of a connected account."),
    automation: z
      .strictObject({
        ...recordPaths,
        id: fieldPath("an automation's id"),
        name: fieldPath("what people call it"),
      })
      .optional()
      .describe("Likewise of an automation."),
    status: z
      .record(z.string(), z.enum(STATUS_MEANINGS))
      .optional()
      .describe("The service's own words for a post's status, in any case, each with what it means."),
  })
  .describe(
    "Where the service's answers keep what plancast reads, as paths: names with dots between them. A number picks from a list, and any other name is taken of each of its items.",
  ) satisfies z.ZodType<ResponseMapping>;
