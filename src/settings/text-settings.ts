/** Settings that give each network its own version of a text: UTM parameters of links, and names to mention. */

import { z } from "zod";

/** What `utm:` can take from a post. */
export const UTM_VARIABLES = ["platform", "campaign", "id"] as const;

export type UtmVariable = (typeof UTM_VARIABLES)[number];

const TEMPLATE = /^(?:[^{}]|\{(?:platform|campaign|id)\})*$/;

const template = (what: string) =>
  z
    .string()
    .max(200)
    .regex(TEMPLATE, "text, in which {platform}, {campaign} and {id} are the only words in braces")
    .optional()
    .describe(what);

/** A host without scheme, path and port. */
const HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

export const utmSchema = z
  .strictObject({
    source: template("Value of `utm_source`, such as `{platform}`."),
    medium: template("Value of `utm_medium`, such as `social`."),
    campaign: template("Value of `utm_campaign`, such as `{campaign}`."),
    term: template("Value of `utm_term`."),
    content: template("Value of `utm_content`, such as `{id}`."),
    hosts: z
      .array(z.string().regex(HOST, "a host such as example.com, which includes its subdomains"))
      .min(1)
      .optional()
      .describe("Hosts whose links get the parameters, with their subdomains. Default: every host."),
  })
  .optional()
  .describe(
    "UTM parameters that plancast adds to links in texts, threads and first comments, where a link does not have them yet. `{platform}`, `{campaign}` and `{id}` are values of the post.",
  );

export type UtmSettings = NonNullable<z.infer<typeof utmSchema>>;

/** A handle without its first `@`, perhaps with a server. */
const HANDLE = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?(?:@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)?$`;
const NAME_IN_TEXT = new RegExp(`^@${HANDLE}`, "u");
const HANDLE_ON_NETWORK = new RegExp(`^@?${HANDLE}`, "u");

export const mentionsSchema = z
  .record(
    z.string().regex(NAME_IN_TEXT, "a name such as @acme, without spaces"),
    z.record(z.string(), z.string().regex(HANDLE_ON_NETWORK, "a handle such as @acme, without spaces")),
  )
  .optional()
  .describe(
    'Names that texts mention, each with its handle on some networks: `"@acme": { bluesky: acme.com }`. On other networks, the name stays as it is.',
  );

export type Mentions = NonNullable<z.infer<typeof mentionsSchema>>;
