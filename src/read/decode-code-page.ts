import type { Encoding } from "../calendar/calendar-settings.ts";

/**
 * Windows-1252 from 0x80 to 0x9F (Encoding Standard, index windows-1252); what it leaves undefined is a control
 * character. All other bytes are those of Latin 1.
 */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Bytes of a code page as text. A byte that it does not define becomes a control character, U+0080 to U+009F. */
export function decodeCodePage(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(bytes);
  // Node's own decoder of Windows-1252 is one of Latin 1 from 20.18.3 on (nodejs/node issue 56542).
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
}
