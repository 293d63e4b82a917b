/**
 * Texts and pictures of the project's language model. Without one, imitates them from fixed parts: the same request then
 * gives the same result.
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { type Color, type Scene, type Size, SCENE_SIDE, drawLandscape } from "../../media/draw-landscape.ts";
import type { ImageRecord, WriteResult } from "../../service/records.ts";
import { platformFails } from "../publishing/post-state.ts";
import { type Route, EndpointError, endpoint, invalidField } from "./endpoint.ts";
import { addMedia, toMediaAnswer } from "./media.ts";
import { aiImageRequest, aiTextAnswer, aiTextRequest, mediaAnswer } from "./schemas.ts";

const generateText = endpoint({
  method: "POST",
  path: "/ai/text",
  scope: "write",
  operation: "generateText",
  summary:
    "Writes the text of a post. Without a language model, the same prompt, platform and tone give the same text",
  body: aiTextRequest,
  answer: aiTextAnswer,
  errors: ["platform_error"],
  async handle({ body }, { failures, accounts, drafter }) {
    if (accounts.list.every((account) => account.platform !== body.platform)) {
      throw invalidField("platform", "is not a platform of this service");
    }
    if (platformFails(failures, body.platform)) {
      throw new EndpointError("platform_error", `${body.platform} is set to fail.`);
    }
    const { platform, tone } = body;
    if (drafter === undefined) return { content: simulatedText(body), platform, tone };
    return { content: doneBy(await drafter.generateText(body)).text, platform, tone };
  },
});

const generateImage = endpoint({
  method: "POST",
  path: "/ai/image",
  scope: "write",
  operation: "generateImage",
  summary:
    "Makes a picture for the media library. Without a language model, the same prompt and size give the same PNG",
  body: aiImageRequest,
  status: 201,
  answer: mediaAnswer,
  errors: ["platform_error"],
  async handle({ body, context }, backend) {
    const bytes =
      backend.drafter === undefined
        ? simulatedPicture(body.prompt, parseSize(body.size))
        : pictureBytes(doneBy(await backend.drafter.generateImage(body)));
    return toMediaAnswer(
      await addMedia(backend, (sink) => pipeline(Readable.from([bytes]), sink())),
      context,
    );
  },
});

export const aiRoutes: readonly Route[] = [generateText, generateImage];

/** What the language model made. Throws platform_error with its reason. */
function doneBy<T>(made: WriteResult<T>): T {
  if (made.result === "done") return made.value;
  const why = made.result === "not_started" ? "the service is stopping" : made.message;
  throw new EndpointError("platform_error", `The language model failed: ${why}.`);
}

function pictureBytes({ base64 }: ImageRecord): Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  throw new EndpointError(
    "platform_error",
    "The language model's server answered with the address of a picture. `plancast draft` and `plancast ai` can load it.",
  );
}

/** With a size that the schema has accepted. */
function parseSize(size: string): Size {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return { width, height };
}

interface Phrases {
  readonly openings: readonly string[];
  readonly endings: readonly string[];
}

/** Beginnings and ends of texts, by tone. Other tones use all of them. */
const PHRASES: ReadonlyMap<string, Phrases> = new Map(
  Object.entries({
    casual: {
      openings: ["Guess what:", "Quick one:", "So, here it is:", "Look at this:"],
      endings: ["What do you think?", "See you there!", "Tell a friend.", "Who is in?"],
    },
    professional: {
      openings: ["Now available:", "In focus:", "We are pleased to share:", "An update from our team:"],
      endings: ["Read more on our site.", "We look forward to your questions.", "Details to follow."],
    },
    friendly: {
      openings: ["Hello everyone!", "Good news:", "We made something for you:"],
      endings: ["Thank you for being here.", "We would love to hear from you.", "Come and say hello."],
    },
    playful: {
      openings: ["Psst:", "Drum roll, please:", "Breaking, sort of:"],
      endings: ["No spoilers.", "You did not hear it from us.", "Ready when you are."],
    },
  }),
);

/** Graphemes of the prompt that a text contains: with the rest, it fits every network. */
const MAX_TOPIC = 60;
const MAX_HASHTAG = 20;
/** Texts for these have no hashtags. */
const PLATFORMS_WITHOUT_HASHTAGS = new Set(["linkedin", "facebook"]);

export function simulatedText({ prompt, platform, tone }: z.infer<typeof aiTextRequest>): string {
  const pick = createPicker(JSON.stringify([prompt, platform, tone]));
  const all = [...PHRASES.values()];
  const known = PHRASES.get(tone.toLowerCase());
  const opening = pick(known?.openings ?? all.flatMap((each) => each.openings));
  const ending = pick(known?.endings ?? all.flatMap((each) => each.endings));
  const words = prompt.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const tags = PLATFORMS_WITHOUT_HASHTAGS.has(platform) ? [] : hashtagsOf(words);
  return [opening, shortenedTopic(words), ending, ...tags].join(" ");
}

/** The prompt as a sentence, or its beginning, cut at a word. */
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

const HILLS = 3;

export function simulatedPicture(prompt: string, size: Size): Uint8Array {
  return drawLandscape(sceneOf(createPicker(prompt)), size);
}

function sceneOf(pick: Picker): Scene {
  const near = pickColor(pick, 10, 90);
  const bottom = pickColor(pick, 150, 255);
  return {
    sky: { top: pickColor(pick, 30, 160), bottom },
    sun: {
      x: pickNumber(pick, 150, SCENE_SIDE - 150),
      y: pickNumber(pick, 150, 500),
      radius: pickNumber(pick, 70, 170),
      color: pickColor(pick, 225, 255),
    },
    hills: Array.from({ length: HILLS }, (_, index) => ({
      color: blend(bottom, near, (index + 1) / HILLS),
      height: 640 + 130 * index,
      swell: pickNumber(pick, 30, 70),
      length: pickNumber(pick, 200, 400),
      shift: pickNumber(pick, 0, 62) / 10,
    })),
  };
}

function pickColor(pick: Picker, least: number, most: number): Color {
  return [pickNumber(pick, least, most), pickNumber(pick, least, most), pickNumber(pick, least, most)];
}

/** Hills become paler with distance, towards the colour of the sky. */
function blend(far: Color, near: Color, share: number): Color {
  const between = (part: 0 | 1 | 2): number => far[part] + (near[part] - far[part]) * share;
  return [between(0), between(1), between(2)];
}

/** Selects one of several texts. */
type Picker = <T>(choices: readonly T[]) => T;

/** Pseudo-random choices that are the same for the same text. Throws if there is nothing to choose from. */
function createPicker(text: string): Picker {
  let count = 0;
  return (choices) => {
    const bytes = createHash("sha256").update(`${count} ${text}`).digest();
    count += 1;
    const drawn = choices[bytes.readUInt32BE(0) % choices.length];
    if (drawn === undefined) throw new Error("The embedded service has nothing to choose from.");
    return drawn;
  };
}

/** A whole number from `least` to `most`, both included. */
function pickNumber(pick: Picker, least: number, most: number): number {
  return least + pick(Array.from({ length: most - least + 1 }, (_, index) => index));
}
