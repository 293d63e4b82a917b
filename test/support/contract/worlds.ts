/** The worlds of the services, with what tests of all of them need. */
import { type MediaHost, startMediaHost } from "../media-host.ts";
import { type BufferOptions, type BufferServer, startBuffer } from "./buffer-server.ts";
import { type ContractWorld, type WorldClock, startContractWorld } from "./contract-world.ts";
import { type PostizOptions, type PostizServer, startPostiz } from "./postiz-server.ts";
import { type ZernioOptions, type ZernioServer, startZernio } from "./zernio-server.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

export interface JudgedWorld {
  readonly world: ContractWorld;
  /** `account text` of each scheduled post on each account, sorted. */
  readonly scheduled: () => readonly string[];
  /** A post of somebody else on `linkedin/brand`, at a time. */
  readonly addForeign: (text: string, at: string) => string;
  /** Whether the post is unchanged. */
  readonly isUntouched: (id: string) => boolean;
}

export type PostizWorld = JudgedWorld & { readonly world: ContractWorld<PostizServer> };
export type ZernioWorld = JudgedWorld & { readonly world: ContractWorld<ZernioServer> };

export async function postizWorld(
  files: Files = {},
  options: PostizOptions = {},
  clock?: WorldClock,
): Promise<PostizWorld> {
  const world = await startContractWorld("postiz", (now) => startPostiz({ now, ...options }), files, clock);
  const { server } = world;
  return {
    world,
    scheduled: () =>
      server
        .scheduled()
        .map((post) => `${post.integration.slice("int-".length)} ${server.publishedText(post)}`)
        .sort(),
    ...foreignPosts(server, (text, at) =>
      server.addForeignPost({ content: `<p>${text}</p>`, publishDate: at }),
    ),
  };
}

export async function zernioWorld(
  files: Files = {},
  options: ZernioOptions = {},
  clock?: WorldClock,
): Promise<ZernioWorld> {
  const world = await startContractWorld("zernio", (now) => startZernio({ now, ...options }), files, clock);
  const { server } = world;
  return {
    world,
    scheduled: () =>
      server
        .scheduled()
        .flatMap(({ platforms, content = "" }) =>
          platforms.map(({ accountId }) => `${accountId.slice("acc-".length)} ${content}`),
        )
        .sort(),
    ...foreignPosts(server, (content, scheduledFor) => server.addForeignPost({ content, scheduledFor })),
  };
}

export type BufferWorld = JudgedWorld & {
  readonly world: ContractWorld<BufferServer>;
  /** Where everybody can read the files of the project. */
  readonly host: MediaHost;
};

export async function bufferWorld(
  files: Files = {},
  options: BufferOptions = {},
  clock?: WorldClock,
): Promise<BufferWorld> {
  const host = await startMediaHost();
  for (const [name, bytes] of Object.entries(files))
    if (typeof bytes !== "string") host.serve(`/public/${name}`, bytes);
  const world = await startContractWorld("buffer", (now) => startBuffer({ now, ...options }), files, clock);
  const { server } = world;
  await world.configure(
    `media: { public_url: "${host.origin}/public", allow_hosts: ["127.0.0.1:${host.port}"] }`,
  );
  return {
    world,
    host,
    scheduled: () =>
      server
        .scheduled()
        .map(({ channelId, text }) => `${channelId.slice("ch-".length)} ${text}`)
        .sort(),
    ...foreignPosts(server, (text, dueAt) => server.addForeignPost({ text, dueAt })),
  };
}

function foreignPosts(
  { posts }: { readonly posts: ReadonlyMap<string, unknown> },
  add: (text: string, at: string) => string,
): Pick<JudgedWorld, "addForeign" | "isUntouched"> {
  const before = new Map<string, string>();
  return {
    addForeign: (text, at) => {
      const id = add(text, at);
      before.set(id, JSON.stringify(posts.get(id)));
      return id;
    },
    isUntouched: (id) => JSON.stringify(posts.get(id)) === before.get(id),
  };
}
