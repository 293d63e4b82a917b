/** The automations, and their runs: all work is local, and a link is read as text, never opened. */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseUrl } from "../../model/address.ts";
import { automationFails, connectionsOf, postAt } from "../publishing/post-state.ts";
import { deliveriesOf, eventsOfRun } from "../publishing/webhook-deliveries.ts";
import { type StoredRun, freeId } from "../store/records.ts";
import { statusOf } from "../store/store-index.ts";
import { simulatedPicture, simulatedText } from "./ai.ts";
import { type Backend, type Route, EndpointError, endpoint, pageOf } from "./endpoint.ts";
import { addMedia } from "./media.ts";
import { automationList, pageQuery, runAnswer, triggerRequest } from "./schemas.ts";

const listAutomations = endpoint({
  method: "GET",
  path: "/automations",
  scope: "read",
  operation: "listAutomations",
  summary: "Lists the automations",
  query: pageQuery,
  answer: automationList,
  handle({ query }) {
    const page = pageOf(AUTOMATIONS, ({ id }) => id, query);
    return { ...page, data: page.data.map(({ id, name, description }) => ({ id, name, description })) };
  },
});

const triggerAutomation = endpoint({
  method: "POST",
  path: "/automations/:id/trigger",
  scope: "write",
  operation: "triggerAutomation",
  summary: "Runs an automation until it ends",
  body: triggerRequest,
  answer: runAnswer,
  async handle({ id, body }, backend) {
    const automation = AUTOMATIONS.find((each) => each.id === id);
    if (automation === undefined) throw new EndpointError("not_found", "This automation does not exist.");
    const made = await runAutomation(automation, body.input, backend);
    const deliveries = await deliveriesOf(eventsOfRun(made), backend, backend.now());
    await backend.store.add({ kind: "run", record: made }, deliveries);
    return made;
  },
});

export const automationsRoutes: readonly Route[] = [listAutomations, triggerAutomation];

async function runAutomation(automation: Automation, input: string, backend: Backend): Promise<StoredRun> {
  const { store, now, random, failures } = backend;
  const about = {
    id: await freeId("run", random, async (id) => (await store.get("run", id)) !== undefined),
    automation_id: automation.id,
    input,
    started_at: new Date(now()).toISOString(),
  };
  const fails = automationFails(failures, automation.id);
  const result = fails ? undefined : await automation.run(input, backend);
  const completed_at = new Date(now()).toISOString();
  return result === undefined
    ? { ...about, status: "failed", error: "The automation is set to fail.", completed_at }
    : { ...about, status: "completed", result, completed_at };
}

interface Automation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The result of a run. */
  readonly run: (input: string, backend: Backend) => Promise<Record<string, unknown>>;
}

/** Sorted by id. */
export const AUTOMATIONS: readonly Automation[] = [
  {
    id: "automation_count_posts",
    name: "Count of posts",
    description: "Counts the posts by status. Ignores the input.",
    run: async (_input, backend) => {
      const at = backend.now();
      const connections = await connectionsOf(backend);
      const counts: Record<string, number> = {};
      for (const post of await backend.store.list("post")) {
        const status = statusOf(postAt(post, at, connections));
        counts[status] = (counts[status] ?? 0) + 1;
      }
      return { posts: counts };
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
    description: "Writes the text of a post about a link or other words.",
    run: (input) => {
      const content = simulatedText({ prompt: describeInput(input), platform: "linkedin", tone: "casual" });
      return Promise.resolve({ content: isLink(input) ? `${content} ${input}` : content });
    },
  },
];

function isLink(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

/** The topic of a link, from the words in it. */
function describeInput(input: string): string {
  if (!isLink(input)) return input;
  const { hostname, pathname } = new URL(input);
  const words = pathname.replaceAll(/\.\w+$|%[\da-f]{2}|[^\p{L}\p{N}]+/giu, " ").trim();
  return words === "" ? hostname : words;
}
