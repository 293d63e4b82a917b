import type { HttpAnswer, HttpFault } from "./http.ts";

/** Services like to echo a bad key; nothing that is printed or kept may hold it. */
export function withoutKey(result: HttpAnswer | HttpFault, key: string): HttpAnswer | HttpFault {
  return result.kind === "answer" ? { ...result, text: result.text.replaceAll(key, "(the key)") } : result;
}
