/** What a row publishes: its text, the texts after it, and the media that go with each of them. */

import { canonicalContent, canonicalExtras } from "../model/canonical.ts";
import { splitThread } from "../model/extras.ts";
import type { Post } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type TextMedia, NO_TEXT_MEDIA, readAltCell, readMediaCell, readThreadMedia } from "./media-cells.ts";
import type { RowView, Value } from "./row-view.ts";

interface RowTexts extends Pick<
  Post,
  "content" | "media" | "alt" | "thread" | "thread_media" | "first_comment"
> {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** One text of a post, with its media. */
interface SaidText extends TextMedia {
  readonly text: string;
}

/**
 * A row with only a thread has its text there. A draft with a pool shows the first text of the pool, because it makes no
 * posts of a series yet.
 */
export function readTexts(row: RowView): RowTexts {
  const { content, media, alt, thread, thread_media, thread_alt, first_comment: comment } = row.values;
  const isOneText = thread === undefined && thread_media === undefined && thread_alt === undefined;
  // Most rows of a long calendar have nothing else.
  if (isOneText && content !== undefined && (media ?? alt ?? comment) === undefined)
    return { content: canonicalContent(content.written), media: [], problems: [], warnings: [] };
  const own = content?.written ?? textItems(row.own.pool)[0];
  const { references, problems } = readMediaCell(row);
  const said: SaidText = { text: own ?? "", references, ...readAltCell(row, references.length) };
  if (isOneText) return postOf([said], comment, { problems, isReadable: problems.length === 0 });
  const inThread = readThreadMedia(row);
  const replies = textItems(thread).map((text, index): SaidText => ({
    text,
    ...(inThread.byText[index] ?? NO_TEXT_MEDIA),
  }));
  const [first, ...rest] = replies;
  const texts =
    own === undefined && first !== undefined ? [joined(said, first), ...rest] : [said, ...replies];
  const surplus = inThread.byText.length > replies.length ? [mediaWithoutText(row, replies.length)] : [];
  const all = [...problems, ...inThread.problems, ...surplus];
  return postOf(texts, comment, { problems: all, isReadable: all.length === 0 });
}

function postOf(
  texts: readonly SaidText[],
  comment: Value | undefined,
  { problems, isReadable }: { readonly problems: readonly Problem[]; readonly isReadable: boolean },
): RowTexts {
  const [{ text } = NOTHING_SAID, ...replies] = texts;
  return {
    content: canonicalContent(text),
    media: texts.flatMap(({ references }) => references),
    ...canonicalExtras({
      alt: texts.flatMap(({ references, alt }) => references.map((_, index) => alt[index] ?? "")),
      thread: replies.map((each) => each.text),
      thread_media: replies.map(({ references }) => references.length),
      first_comment: comment?.written ?? "",
    }),
    problems: isReadable ? texts.flatMap(tooManyAlt) : problems,
    warnings: texts.flatMap(unusedAlt),
  };
}

const NOTHING_SAID: SaidText = { text: "", ...NO_TEXT_MEDIA };

/** The media of a row without a text of its own, and the first text of its thread. */
function joined(said: SaidText, first: SaidText): SaidText {
  const filled = said.references.map((_, index) => said.alt[index] ?? "");
  return {
    text: first.text,
    references: [...said.references, ...first.references],
    alt: [...filled, ...first.alt],
    surplus: said.surplus ?? first.surplus,
  };
}

/** The texts of a list, or of a cell with a line `---` between them. */
export function textItems(cell: Value | undefined): readonly string[] {
  if (cell === undefined) return [];
  return cell.isList ? cell.items : splitThread(cell.written);
}

function mediaWithoutText(row: RowView, texts: number): Problem {
  const message =
    "A picture or video belongs to a text of the thread that is not there. Add the text to thread, or remove the file.";
  return problem("row/thread-media", message, row.at("thread_media", texts));
}

/** plancast cannot know which text belongs to which medium. */
function tooManyAlt({ references, alt, surplus }: SaidText): Problem[] {
  const media = references.length;
  if (surplus === undefined || media === 0) return [];
  const files = media === 1 ? "1 picture or video" : `${media} pictures and videos`;
  const message = `The row has ${alt.length} alt texts for ${files}. Write one alt text for each file, in the same order, with | between them.`;
  return [problem("row/alt-count", message, surplus)];
}

function unusedAlt({ references, surplus }: SaidText): Problem[] {
  if (surplus === undefined || references.length > 0) return [];
  return [problem("row/unused-value", ALT_UNUSED, surplus)];
}

const ALT_UNUSED =
  "The row has an alt text but no picture or video, so plancast does not use it. Name the file in media, or remove the text.";
