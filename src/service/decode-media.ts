/** Records of the media library. */
import { isObject } from "./decode-list.ts";
import { decodeId, pickText } from "./record.ts";
import type { MediaRecord } from "./records.ts";

const MEDIA_TYPE_KEYS = ["type", "media_type", "mediaType", "kind"];
const MEDIA_URL_KEYS = ["url", "src", "href", "file_url", "fileUrl"];

/** Reads one media item, or throws a Failure that names the endpoint, the keys seen and the part missing. */
export function decodeMedia(value: unknown, endpoint: string): MediaRecord {
  const record = isObject(value) ? value : {};
  const type = pickText(record, MEDIA_TYPE_KEYS);
  const url = pickText(record, MEDIA_URL_KEYS);
  const told = { ...(type !== undefined && { type }), ...(url !== undefined && { url }) };
  return { id: decodeId(record, endpoint), ...told, record };
}
