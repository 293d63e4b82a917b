/**
 * Whether text that is not UTF-8 can be told to be Windows-1252, the code page of Western Excels. It is, when it reads
 * as one of their languages, and there is no other code page in which it reads as a language and says something else.
 */
import type { Encoding } from "../calendar/calendar-settings.ts";
import { decodeCodePage } from "./decode-code-page.ts";

/** Letters beyond ASCII, in lower case, of languages that are written in a code page. */
const LANGUAGES = {
  "windows-1252": [
    "àâæçèéêëîïôœùûüÿ", // French
    "äöüßé", // German
    "áéíñóúü", // Spanish
    "àáâãçéêíóôõúü", // Portuguese
    "àèéìíîòóùú", // Italian
    "àçèéíïòóúü", // Catalan
    "áéèëíïóöúü", // Dutch
    "àäåæéòôöøü", // Danish, Norwegian, Swedish, Finnish
    "áæðéíóöúýþ", // Icelandic
    "àáâäåæçèéêëíïñóôöøúü", // English, with the words and names that it has taken over
  ],
  "windows-1250": [
    "áčďéěíňóřšťúůýž", // Czech
    "áäčďéíĺľňóôŕšťúýž", // Slovak
    "ąćęłńóśźż", // Polish
    "áéíóöőúüű", // Hungarian
    "âăîşţ", // Romanian
    "ćčđšž", // Slovene, Croatian, Bosnian
    "ëç", // Albanian
  ],
  "windows-1254": ["âçğıîöşûü"], // Turkish
  "windows-1257": ["ąčėęįšūųž", "āčēģīķļņšūž", "äõöüšž"], // Lithuanian, Latvian, Estonian
} as const satisfies Partial<Record<Encoding, readonly string[]>>;

const OTHER_CODE_PAGES = ["windows-1250", "windows-1254", "windows-1257"] as const;

/** Signs that stand in texts. Others of a code page do not, so that they speak against it. */
const SIGNS = /^[\u00a0\u00ad“”‘’„‚«»‹›–—…•·€£¥§©®™°¡¿ªº¼½¾²³¹×±µ†‡]$/u;

/** Those that may stand between two letters, and those that do not follow one. */
const WITHIN_WORDS = /^[\u00ad’–—·]$/u;
const OPENING = /^[‚„]$/u;

/** `bytes` are not UTF-8. */
export function detectWindows1252(bytes: Uint8Array): boolean {
  const used = highBytes(bytes);
  const text = decodeCodePage(used, "windows-1252");
  if (!looksLikeLanguage(text, LANGUAGES["windows-1252"])) return false;
  const rival = OTHER_CODE_PAGES.some((encoding) => {
    const other = decodeCodePage(used, encoding);
    return other !== text && looksLikeLanguage(other, LANGUAGES[encoding]);
  });
  return !rival && hasLatinNeighbours(bytes) && !containsUtf8(bytes);
}

/** A whole character of UTF-8: then the file is UTF-8 that is broken elsewhere. */
function containsUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/.test(
    text,
  );
}

/** Each byte beyond ASCII that occurs, once. */
function highBytes(bytes: Uint8Array): Uint8Array {
  const seen = new Set<number>();
  for (const byte of bytes) if (byte >= 0x80) seen.add(byte);
  return Uint8Array.from(seen);
}

function looksLikeLanguage(text: string, languages: readonly string[]): boolean {
  const letters = Array.from(text).filter((sign) => !SIGNS.test(sign));
  return languages.some((alphabet) => letters.every((letter) => alphabet.includes(letter.toLowerCase())));
}

/**
 * Whether the bytes beyond ASCII stand where letters and signs of Latin script do: some letter beside an ASCII letter,
 * as in no other script; and no sign within a word that does not belong there, as when the code page is one of DOS.
 */
function hasLatinNeighbours(bytes: Uint8Array): boolean {
  const signs = decodeCodePage(
    Uint8Array.from({ length: 256 }, (_none, byte) => byte),
    "windows-1252",
  );
  let letters = 0;
  let besideAscii = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    const before = isAsciiLetter(bytes[index - 1]);
    const after = isAsciiLetter(bytes[index + 1]);
    const sign = signs.charAt(byte);
    if (!SIGNS.test(sign)) {
      letters += 1;
      if (before || after) besideAscii += 1;
    } else if (before && (OPENING.test(sign) || (after && !WITHIN_WORDS.test(sign)))) return false;
  }
  return letters === 0 || besideAscii > 0;
}

function isAsciiLetter(byte = 0): boolean {
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}
