/** What a POST to /v1/posts must hold: exactly what the interface documents. Pure. */
import type { NewPost } from "./post-book.ts";

const FIELDS = ["content", "platforms", "scheduled_at", "media_ids"];
const DOCUMENTED_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** @returns the post, or why it is refused. Another place checks whether the media exist. */
export function validatePost(
  text: string,
  platforms: readonly string[],
  now: number,
): NewPost | { readonly refused: string } {
  const body = parse(text);
  if (body === undefined) return { refused: "the body is not a JSON object" };
  const unknown = Object.keys(body).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) return { refused: `there is no field ${unknown}` };
  const { content, platforms: names, scheduled_at: time, media_ids: media = [] } = body;
  if (typeof content !== "string") return { refused: "content is not a string" };
  if (!isStrings(names) || names.length === 0) return { refused: "platforms is not a list of strings" };
  if (new Set(names).size < names.length) return { refused: "platforms names one twice" };
  const other = names.find((name) => !platforms.includes(name));
  if (other !== undefined) return { refused: `no account is connected for platform ${other}` };
  if (typeof time !== "string" || !isDocumentedTime(time))
    return { refused: "scheduled_at is not a UTC time" };
  if (Date.parse(time) <= now) return { refused: "scheduled_at is in the past" };
  if (!isStrings(media)) return { refused: "media_ids is not a list of strings" };
  if (content.trim() === "" && media.length === 0) return { refused: "there is neither content nor media" };
  return { content, platforms: names, scheduled_at: time, media_ids: media };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** In the documented form, and an existing day: `Date.parse` accepts 30 February as a day in March. */
function isDocumentedTime(text: string): boolean {
  const ms = Date.parse(text);
  return (
    DOCUMENTED_TIME.test(text) &&
    !Number.isNaN(ms) &&
    new Date(ms).toISOString().startsWith(text.slice(0, 19))
  );
}
