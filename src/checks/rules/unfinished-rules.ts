/** Rules about texts that are not written yet: placeholders, and texts that are marked as drafts. */

import { clipped } from "../../model/text.ts";
import { isDummyText, isPlaceholder, unfinishedStart } from "./placeholders.ts";
import { type CheckedPost, type Finding, type PostText, type Rule, NO_FINDINGS, repliesOf } from "./rule.ts";

export const placeholderText: Rule = {
  code: "content/placeholder",
  severity: "error",
  rule: "A text is not only a placeholder, such as `TBD`, `-` or `Caption to come`.",
  cause: "Somebody still has to write the text, and plancast would publish the placeholder.",
  fix: "Write the text, or mark the row as `draft` or `skip`. If your texts really look like this, turn the rule off.",
  of: "post",
  check: (post) => {
    if (!publishes(post, isPlaceholder)) return NO_FINDINGS;
    return textsOf(post)
      .filter(({ text }) => isPlaceholder(text))
      .map(({ name, text, ...place }): Finding => {
        const way =
          place.field === "content" && post.media?.length === 0
            ? "Write the text, or mark the row as draft or skip."
            : "Write the text, clear it, or mark the row as draft or skip.";
        const off =
          "If you want to publish it, set `content/placeholder: off` under `rules:` in plancast.yaml.";
        return {
          ...place,
          message: `${name} is only a placeholder: "${clipped(text.trim())}". ${way} ${off}`,
        };
      });
  },
};

export const unfinishedText: Rule = {
  code: "content/unfinished",
  severity: "warning",
  rule: "A text does not start with a word such as `DRAFT:`, and contains no `Lorem ipsum dolor`.",
  cause: "The text is marked as unfinished, and the mark would be published with it.",
  fix: "Finish the text and remove the mark, or mark the row as `draft`.",
  of: "post",
  check: (post) => {
    if (!publishes(post, isUnfinished)) return NO_FINDINGS;
    return textsOf(post).flatMap(({ name, text, ...place }): Finding[] => {
      if (!isUnfinished(text)) return [];
      const start = unfinishedStart(text);
      const what = start === undefined ? 'contains "Lorem ipsum dolor"' : `starts with "${start}"`;
      const message = `${name} ${what}, so it may not be ready. Finish it and remove the mark, or mark the row as draft or skip.`;
      return [{ ...place, message }];
    });
  },
};

function isUnfinished(text: string): boolean {
  return (unfinishedStart(text) !== undefined || isDummyText(text)) && !isPlaceholder(text);
}

/** Whether one of its texts is like this. Nearly no text is, so the list of texts is made only then. */
function publishes(
  { content, alt = [], thread = [], first_comment = "" }: CheckedPost,
  isLikeThis: (text: string) => boolean,
): boolean {
  return (
    isLikeThis(content) ||
    alt.some(isLikeThis) ||
    thread.some(isLikeThis) ||
    (first_comment !== "" && isLikeThis(first_comment))
  );
}

/** The texts that a post publishes. */
function textsOf(post: CheckedPost): readonly PostText[] {
  const content: PostText = { name: "The text", text: post.content, field: "content" };
  const alt = (post.alt ?? []).map((text, item): PostText => ({
    name: "The alt text",
    text,
    field: "alt",
    item,
  }));
  return [content, ...alt, ...repliesOf(post)];
}
