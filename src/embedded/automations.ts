/** The automations of the embedded service. Each one works on this machine alone: a link is read, never opened. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { simulatedPicture } from "./ai-picture.ts";
import { simulatedText } from "./ai-text.ts";
import { addMedia } from "./new-media.ts";
import { postAt, statusOf } from "./publishing.ts";
import type { Backend } from "./route.ts";

export interface Automation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What a run comes to. */
  readonly run: (input: string, backend: Backend) => Promise<Record<string, unknown>>;
}

/** Sorted by id. */
export const AUTOMATIONS: readonly Automation[] = [
  {
    id: "automation_count_posts",
    name: "Count of posts",
    description: "Counts the posts by their status, whatever the input.",
    run: (_input, backend) => {
      const at = backend.now();
      const counts: Record<string, number> = {};
      for (const post of backend.store.posts()) {
        const status = statusOf(postAt(post, at, backend));
        counts[status] = (counts[status] ?? 0) + 1;
      }
      return Promise.resolve({ posts: counts });
    },
  },
  {
    id: "automation_picture_from_text",
    name: "Picture from a text",
    description: "Makes a picture for the media library.",
    run: async (input, backend) => {
      const bytes = simulatedPicture(input, { width: 1080, height: 1080 });
      const { id } = await addMedia(backend, (sink) => pipeline(Readable.from([bytes]), sink()));
      return { media_id: id };
    },
  },
  {
    id: "automation_text_from_link",
    name: "Text from a link",
    description: "Writes the text of a post about a link, or about any other words.",
    run: (input) => {
      const content = simulatedText({ prompt: describeInput(input), platform: "linkedin", tone: "casual" });
      return Promise.resolve({ content: isLink(input) ? `${content} ${input}` : content });
    },
  },
];

function isLink(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** What a link is about, as far as its own words tell. */
function describeInput(input: string): string {
  if (!isLink(input)) return input;
  const { hostname, pathname } = new URL(input);
  const words = pathname.replaceAll(/\.\w+$|%[\da-f]{2}|[^\p{L}\p{N}]+/giu, " ").trim();
  return words === "" ? hostname : words;
}
