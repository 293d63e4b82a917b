/**
 * The GraphQL documents that plancast sends to Buffer. A test checks them against Buffer's public schema, and against its limits
 * on aliases and complexity. Source: developers.buffer.com (reference, api-limits).
 */

/** All parts of a post that plancast reads. */
const POST_PARTS = `
fragment Files on Asset {
  __typename
  source
  ... on ImageAsset { image { altText } }
}
fragment PostParts on Post {
  id
  status
  dueAt
  text
  channelId
  channelService
  externalLink
  error { message }
  assets { ...Files }
  metadata {
    ... on CommonPostMetadata { type }
    ... on ThreadedPostMetadata { thread { text assets { ...Files } } }
    ... on InstagramPostMetadata { firstComment }
    ... on FacebookPostMetadata { firstComment }
    ... on LinkedInPostMetadata { firstComment }
    ... on MastodonPostMetadata { spoilerText }
    ... on PinterestPostMetadata { title url board { serviceId } }
    ... on TiktokPostMetadata { title isAiGenerated }
    ... on YoutubePostMetadata { title privacy madeForKids isAiGenerated category { categoryId } }
  }
}`;

const CHANNELS = `
  account { organizations { id name } }
  channels(input: { organizationId: $organization }) {
    id
    name
    displayName
    service
    isDisconnected
    isLocked
    isQueuePaused
    timezone
  }`;

const POSTS = `
  posts(input: { organizationId: $organization, filter: $filter, sort: $sort }, first: $first, after: $after) {
    edges { node { ...PostParts } }
    pageInfo { hasNextPage endCursor }
  }`;

const POSTS_VARIABLES =
  "$organization: OrganizationId!, $filter: PostsFiltersInput, $sort: [PostSortInput!], $first: Int, $after: String";

/** The documents that read, by what they ask for. */
export const QUERIES = {
  organizations: "query Organizations { account { organizations { id name } } }",
  channels: `query Channels($organization: OrganizationId!) {${CHANNELS}\n}`,
  /** The first page of posts, and the channels: one request is enough for a plan without changes. */
  channelsAndPosts: `query ChannelsAndPosts(${POSTS_VARIABLES}) {${CHANNELS}${POSTS}\n}${POST_PARTS}`,
  posts: `query Posts(${POSTS_VARIABLES}) {${POSTS}\n}${POST_PARTS}`,
  post: `query Post($id: PostId!) { post(input: { id: $id }) { ...PostParts } }${POST_PARTS}`,
  limits: `query Limits($channels: [ChannelId!]!) {
  dailyPostingLimits(input: { channelIds: $channels }) { channelId limit }
}`,
} as const;

/** Changes in one document. Buffer allows 30 aliases. */
export const MOST_CHANGES = 25;

const MUTATIONS = {
  createPost: { input: "CreatePostInput", answer: "Written" },
  editPost: { input: "EditPostInput", answer: "Written" },
  deletePost: { input: "DeletePostInput", answer: "Deleted" },
} as const;

export type Mutation = keyof typeof MUTATIONS;

const WRITTEN = `
fragment Written on PostActionPayload {
  __typename
  ... on PostActionSuccess { post { ...PostParts } }
  ... on MutationError { message }
  ... on RestProxyError { code }
}`;

const DELETED = `
fragment Deleted on DeletePostPayload {
  __typename
  ... on DeletePostSuccess { id }
  ... on MutationError { message }
}`;

/** The name of a change in a document, by its place from 0. */
export function aliasOf(index: number): string {
  return `m${index}`;
}

/** One document with several changes, which the service makes in this order. Their inputs are `$m0`, `$m1` and so on. */
export function mutationDocument(changes: readonly Mutation[]): string {
  const variables = changes.map((name, index) => `$${aliasOf(index)}: ${MUTATIONS[name].input}!`);
  const fields = changes.map(
    (name, index) =>
      `  ${aliasOf(index)}: ${name}(input: $${aliasOf(index)}) { ...${MUTATIONS[name].answer} }`,
  );
  const has = (answer: string): boolean => changes.some((name) => MUTATIONS[name].answer === answer);
  const fragments = [...(has("Written") ? [WRITTEN, POST_PARTS] : []), ...(has("Deleted") ? [DELETED] : [])];
  return `mutation Changes(${variables.join(", ")}) {\n${fields.join("\n")}\n}${fragments.join("")}`;
}
