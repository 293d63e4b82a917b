/**
 * Windows-1252 from 0x80 to 0x9F (Encoding Standard, index windows-1252). Undefined bytes are control characters. All
 * other bytes are as in Latin 1.
 */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * The text of bytes in Windows-1252 that were decoded as Latin 1. From 20.18.3 on, Node's own decoder of Windows-1252 decodes
 * Latin 1 (nodejs/node issue 56542).
 */
export function windows1252(latin1: string): string {
  return latin1.replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
}
