/** What the service said, reused for some seconds: who saves a calendar every few seconds must not spend the rate limit. */
import type { Clock } from "../calendar/clock.ts";
import type { OpenedService } from "../open-service.ts";
import type { PostState, RemoteList, Service } from "../service/service.ts";

/** For so long what was read of the service is as good as new, ms. */
export const REUSE_MS = 20_000;

export interface ReusedService {
  /** The service: asked anew where its answers are too old. Closing what this gives does nothing. */
  readonly open: () => Promise<OpenedService>;
  /** Age of the answers that the last `open` reuses, ms; undefined where it asks. */
  readonly reusedMs: () => number | undefined;
  /** Forgets all answers, and closes the service. */
  readonly forget: () => Promise<void>;
}

export function reuseService(open: () => Promise<OpenedService>, clock: Clock): ReusedService {
  let known: { readonly opened: OpenedService; readonly answers: Answers; readonly at: number } | undefined;
  let reusedMs: number | undefined;
  const forget = async (): Promise<void> => {
    const { opened } = known ?? {};
    known = undefined;
    reusedMs = undefined;
    await opened?.close();
  };
  return {
    forget,
    reusedMs: () => reusedMs,
    open: async () => {
      const age = known === undefined ? Infinity : clock.now() - known.at;
      // A clock that was set back makes nothing young again.
      const isYoung = age >= 0 && age < REUSE_MS;
      if (!isYoung) await forget();
      known ??= { opened: await open(), answers: newAnswers(), at: clock.now() };
      const { opened, answers } = known;
      reusedMs = isYoung && answers.list !== undefined ? age : undefined;
      const service = isYoung ? reusing(opened.service, answers) : opened.service;
      return { ...opened, service: remembering(service, answers), close: async () => {} };
    },
  };
}

/** What was answered last. */
interface Answers {
  list: RemoteList | undefined;
  platforms: { readonly known: ReadonlySet<string> | undefined } | undefined;
  readonly posts: Map<string, PostState>;
}

function newAnswers(): Answers {
  return { list: undefined, platforms: undefined, posts: new Map() };
}

/** Keeps what is answered. A plan that asks twice gets two answers: what one list cannot prove, two may. */
function remembering(service: Service, answers: Answers): Service {
  return {
    ...service,
    listScheduled: async () => (answers.list = await service.listScheduled()),
    listPlatforms: async () => {
      const known = await service.listPlatforms();
      answers.platforms = { known };
      return known;
    },
    getPost: async (id) => {
      const state = await service.getPost(id);
      answers.posts.set(id, state);
      return state;
    },
  };
}

/** Answers with what is known from an earlier plan; asks for the rest. */
function reusing(service: Service, { list, platforms, posts }: Answers): Service {
  return {
    ...service,
    listScheduled: async () => list ?? service.listScheduled(),
    listPlatforms: async () => (platforms === undefined ? service.listPlatforms() : platforms.known),
    getPost: async (id) => posts.get(id) ?? service.getPost(id),
  };
}
