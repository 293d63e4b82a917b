/** The path that events are sent to. Deliveries are not signed, so knowing it is what tells the service from others. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { timingSafeEqual, createHash } from "node:crypto";
import { z } from "zod";
import { Failure } from "../calendar/failure.ts";
import { writeAtomic } from "../state/write-atomic.ts";
import { notWritable, STATE_FOLDER } from "../state/project-state.ts";

const SECRET_BYTES = 32;

const fileSchema = z.object({ path: z.string().regex(/^\/events\/[\w-]{43}$/) });

/** The project's path, such as `/events/…`: made at the first call, and kept where its user alone can read it. */
export async function secretPath(root: string, random: (bytes: number) => Uint8Array): Promise<string> {
  const file = join(root, STATE_FOLDER, "listen.json");
  const kept = await readPath(file);
  if (kept !== undefined) return kept;
  const path = `/events/${Buffer.from(random(SECRET_BYTES)).toString("base64url")}`;
  try {
    await writeAtomic(file, `${JSON.stringify({ path })}\n`, dirname(file), 0o600);
  } catch (error) {
    throw notWritable(error);
  }
  return path;
}

/** Undefined where there is none. One that cannot be read is no reason to make another: it is registered. */
async function readPath(file: string): Promise<string | undefined> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, "utf8"))).path;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Failure(
      "listen/path",
      `${file}, which keeps the path that events are sent to, cannot be used.`,
      "Mend its permissions or restore it; or remove it, start again, and register the new address.",
      { cause: error },
    );
  }
}

/** Takes as long for any path, however much of it is right. */
export function isSamePath(given: string, secret: string): boolean {
  return timingSafeEqual(hash(given), hash(secret));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
