/** Texts as a model would write them, made of fixed parts: the same for the same prompt, platform and tone. */
import { createPicker } from "./draw.ts";

export interface TextRequest {
  readonly prompt: string;
  readonly platform: string;
  readonly tone: string;
}

/** What a text begins and ends with, by tone. Any other tone takes from all of them. */
const PHRASES: ReadonlyMap<
  string,
  { readonly openings: readonly string[]; readonly endings: readonly string[] }
> = new Map([
  [
    "casual",
    {
      openings: ["Guess what:", "Quick one:", "So, here it is:", "Look at this:"],
      endings: ["What do you think?", "See you there!", "Tell a friend.", "Who is in?"],
    },
  ],
  [
    "professional",
    {
      openings: ["Now available:", "In focus:", "We are pleased to share:", "An update from our team:"],
      endings: ["Read more on our site.", "We look forward to your questions.", "Details to follow."],
    },
  ],
  [
    "friendly",
    {
      openings: ["Hello everyone!", "Good news:", "We made something for you:"],
      endings: ["Thank you for being here.", "We would love to hear from you.", "Come and say hello."],
    },
  ],
  [
    "playful",
    {
      openings: ["Psst:", "Drum roll, please:", "Breaking, sort of:"],
      endings: ["No spoilers.", "You did not hear it from us.", "Ready when you are."],
    },
  ],
]);

/** Graphemes of the prompt that a text takes over: with the rest around, it fits every network. */
const MAX_TOPIC = 60;
const MAX_HASHTAG = 20;
/** On these, texts carry no hashtags. */
const PLATFORMS_WITHOUT_HASHTAGS = new Set(["linkedin", "facebook"]);

export function simulatedText({ prompt, platform, tone }: TextRequest): string {
  const pick = createPicker(JSON.stringify([prompt, platform, tone]));
  const all = [...PHRASES.values()];
  const known = PHRASES.get(tone.toLowerCase());
  const opening = pick(known?.openings ?? all.flatMap((each) => each.openings));
  const ending = pick(known?.endings ?? all.flatMap((each) => each.endings));
  const words = prompt.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const tags = PLATFORMS_WITHOUT_HASHTAGS.has(platform) ? [] : hashtagsOf(words);
  return [opening, shortenedTopic(words), ending, ...tags].join(" ");
}

/** The prompt as a sentence, or its beginning, cut where a reader would cut it. */
function shortenedTopic(words: string): string {
  const graphemes = [...new Intl.Segmenter("en").segment(words)].map((each) => each.segment);
  if (graphemes.length <= MAX_TOPIC) return /[.!?…]$/.test(words) ? words : `${words}.`;
  const cut = graphemes.slice(0, MAX_TOPIC).join("");
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), cut.length / 2)).trimEnd()}…`;
}

/** Hashtags of the two longest words. */
function hashtagsOf(words: string): string[] {
  const found = new Set(words.toLowerCase().match(/\p{L}{4,}/gu));
  const fitting = [...found].filter((word) => word.length <= MAX_HASHTAG);
  return fitting
    .sort((a, b) => b.length - a.length)
    .slice(0, 2)
    .map((word) => `#${word}`);
}
