/** What pictures and videos tell of themselves: width and height, length, whether they are whole. Bounded reading. */
import { open } from "node:fs/promises";
import type { MediaFacts } from "../calendar/post.ts";
import { fileBytes } from "./file-bytes.ts";

/**
 * Reads a file's own header. The bytes are nobody's word: what cannot be made out is absent, and never an error.
 * @param mime the media type by its bytes
 */
export async function readFacts(path: string, mime: string): Promise<MediaFacts> {
  const handle = await open(path, "r");
  try {
    const file = fileBytes(handle, (await handle.stat()).size);
    switch (mime) {
      case "video/mp4":
      case "video/quicktime":
      case "video/x-m4v":
        return await (await import("./mp4-facts.ts")).mp4Facts(file);
      case "video/webm":
      case "video/matroska":
        return await (await import("./matroska-facts.ts")).matroskaFacts(file);
      default:
        return mime.startsWith("image/")
          ? await (await import("./picture-facts.ts")).pictureFacts(file, mime)
          : {};
    }
  } finally {
    await handle.close();
  }
}
