/**
 * The spellings that some disk takes for a folder's name. Most ignore case. HFS+ and ext4 can ignore invisible characters
 * and treat `ſ` as `s`. Windows ignores dots and spaces at the end, has streams (`name::$INDEX_ALLOCATION`) and short names
 * (`git~1`).
 */

/** The start of the short name that Windows makes of a long one, without the number. */
const SHORT_NAME_LENGTH = 6;

/** Whether some disk takes `name` for `folder`, which is in small letters. Refuses more rather than less. */
export function isSpellingOf(folder: string, name: string): boolean {
  const [plain = ""] = name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    // Both: the letters that differ only in one direction, such as `ſ`, become the same.
    .toUpperCase()
    .toLowerCase()
    .split(":", 1);
  const trimmed = withoutEnd(plain);
  return trimmed === folder || isShortNameOf(folder, trimmed);
}

function withoutEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === "." || name[end - 1] === " ") end -= 1;
  return name.slice(0, end);
}

/** Windows takes the first letters without dots; where many names begin alike, two of them and four hexadecimal digits. */
function isShortNameOf(folder: string, name: string): boolean {
  const letters = folder.replaceAll(".", "");
  const [, start = ""] = /^([^~]{1,6})~\d{1,6}$/.exec(name) ?? [];
  if (start === letters.slice(0, SHORT_NAME_LENGTH)) return true;
  return start.startsWith(letters.slice(0, 2)) && /^..[0-9a-f]{4}$/.test(start);
}
