/** `series:` of plancast.yaml: how far ahead rows that repeat are planned. */

import { z } from "zod";
import { durationMs } from "../model/clock.ts";
import { durationSchema } from "./limits.ts";

const DAY_MS = 86_400_000;
/** Services refuse posts that are further ahead. */
const MAX_DAYS = 400;

export const seriesSchema = z.strictObject({
  ahead: durationSchema
    .refine(isUsable, `between 1d and ${MAX_DAYS}d`)
    .default("60d")
    .describe(`How far ahead plancast plans the posts of rows that repeat: between 1d and ${MAX_DAYS}d.`),
  language: z
    .string()
    .refine(isLanguage, "the tag of a language, such as en-GB, en-US or fr")
    .default("en-GB")
    .describe("Language of `{date}` in the texts of rows that repeat, as a tag such as en-US or fr."),
});

function isUsable(text: string): boolean {
  const ms = durationMs(text);
  return ms >= DAY_MS && ms <= MAX_DAYS * DAY_MS;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag]).length === 1;
  } catch {
    return false;
  }
}
