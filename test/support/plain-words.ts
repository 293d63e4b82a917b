/** Finds what makes prose hard to read: words to avoid, and sentences that are too long. */

/** Words to avoid, and what to write instead. */
const WORDS_TO_AVOID: readonly (readonly [RegExp, string])[] = [
  [/\b(?:stands?|stood|standing)\b/i, "is"],
  [/\b(?:tells?|told|telling)\b/i, "shows, says, detects"],
  [/\balone\b/i, "only"],
  [/\bof which\b/i, "a second sentence"],
  [/\bso many\b/i, "N, this many"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bsuch\b(?! as\b)/i, "this, these, like this"],
  [/\bwhat is\b[^.]*\band what to do\b/i, "the state and the next step"],
  [/\bnothing of\b/i, "no, none of"],
  [/\bby (?:itself|themselves)\b/i, "automatically"],
  [/\b(?:is|are|was|were) to be\b/i, "must be, will be"],
  [/\bmakes? it so\b/i, "makes these changes"],
  [/\ba word of\b/i, "confirmation, a setting"],
  [/\bas it should be\b/i, "is available, is correct"],
  [/\bis not believed\b/i, "does not count until it is confirmed"],
  [/\bproject file\b/i, "plancast.yaml"],
  [/\b(?:fate|backend|provider)s?\b/i, "the word of the glossary"],
  [/\bone a (?:row|line|day|step|file)\b/i, "one per"],
  [/(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b)/i, "is not a"],
  [/(?:^|[.;:] )else\b(?!,? if\b)/i, "Otherwise"],
  [/\bat the most\b/i, "at most"],
  [/\bby its bytes\b/i, "its content is"],
  [/\b(?:cannot be|is not|are not) understood\b/i, "plancast cannot read"],
  [/\b(?:is|are|was|were) going on\b/i, "is in progress"],
  [/\bsays nothing of\b/i, "does not show"],
  [/\b(?:whilst|whereof|thereof|therein|anew|hither)\b/i, "a modern word"],
];

const MOST_WORDS = 30;

/** Sections that programs write between two comments, such as measurements. */
const GENERATED = /<!-- (\w+:[\w-]+|parts\b)[^]*?<!-- \/\1? ?[^>]*-->/g;
const FENCE = /^ *(`{3,})[^]*?^ *\1$/gm;

/**
 * The sentences of a page of Markdown: each paragraph, list item, heading and table cell ends one. A piece of inline
 * code counts as one word, and a link as its text.
 */
export function sentencesOf(markdown: string): readonly string[] {
  const text = markdown
    .replaceAll(GENERATED, "")
    .replaceAll(FENCE, "\n\n")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/^\[[^\]]+\]: \S+$/gm, "")
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replaceAll(/`[^`\n]*`/g, "code")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("**", "")
    .replaceAll(/(?<!\w)_([^_]+)_(?!\w)/g, "$1");
  return blocksOf(text).flatMap((block) =>
    block
      .split(/(?<=[.!?]["”)]*)\s+(?=["“(]*(?:[A-Z0-9]|code\b|plancast\b|git\b))/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => /[a-z]/i.test(sentence)),
  );
}

/** Paragraphs, list items, headings and table cells, each on one line. */
function blocksOf(text: string): readonly string[] {
  return text
    .replaceAll(
      /^ *\|(.*)\|$/gm,
      (_line, cells: string) => `\n\n${cells.replaceAll(/(?<!\\)\|/g, "\n\n")}\n\n`,
    )
    .replaceAll(/^ *(?:[-*] |\d+\. |#+ |> ?)/gm, "\n\n")
    .split(/\n\s*\n/)
    .map((block) => block.replaceAll(/\s+/g, " ").trim());
}

export function wordCount(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** What to change in a page, one line for each finding. */
export function plainWordFaults(markdown: string): readonly string[] {
  return sentencesOf(markdown).flatMap((sentence) => [
    ...WORDS_TO_AVOID.flatMap(([pattern, instead]) => {
      const found = pattern.exec(sentence)?.[0];
      return found === undefined ? [] : [`"${found}" (write: ${instead}): ${sentence}`];
    }),
    ...(wordCount(sentence) > MOST_WORDS ? [`${wordCount(sentence)} words: ${sentence}`] : []),
  ]);
}
