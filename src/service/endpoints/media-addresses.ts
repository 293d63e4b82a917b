/** Media of services whose posts name files by their addresses: the address is the id that the lockfile stores. */

const VIDEO = /\.(?:mp4|m4v|mov|mpe?g|webm|avi)$/i;
const MARK = "#video";

/** The id of a file: its address. A post also needs the type, which the address nearly always shows. */
export function addressId(url: string, type: string | undefined): string {
  return type === "video" && !VIDEO.test(pathOf(url)) ? `${url}${MARK}` : url;
}

/** The address and the type of a file, by its id. */
export function mediaItemOf(id: string): {
  readonly type: "image" | "video" | "document";
  readonly url: string;
} {
  if (id.endsWith(MARK)) return { type: "video", url: id.slice(0, -MARK.length) };
  const path = pathOf(id);
  const type = VIDEO.test(path) ? "video" : /\.pdf$/i.test(path) ? "document" : "image";
  return { type, url: id };
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}
