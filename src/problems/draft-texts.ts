/** Texts about drafts: why no model can describe a picture. */

/** `web`: the file at an address has another type, or cannot be downloaded. */
type UndescribedReason = "type" | "size" | "web";

/** Largest picture that a model gets, MB. */
export const MAX_PICTURE_MB = 20;

/** @param path as the row names it */
export function undescribedText(path: string, why: UndescribedReason): string {
  const what = {
    type: "is not a PNG, JPEG, WebP or GIF file",
    size: `is larger than ${MAX_PICTURE_MB} MB`,
    web: "is not a picture that a model can read, or could not be downloaded",
  }[why];
  return `"${path}" ${what}. Write its alt text yourself.`;
}
