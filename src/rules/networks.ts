/** The networks whose limits are known. A new one is a file in networks/ and a line here. */
import type { Network } from "../calendar/limits.ts";
import { bluesky } from "./networks/bluesky.ts";
import { facebook } from "./networks/facebook.ts";
import { googleBusiness } from "./networks/google-business.ts";
import { instagram } from "./networks/instagram.ts";
import { linkedin } from "./networks/linkedin.ts";
import { mastodon } from "./networks/mastodon.ts";
import { pinterest } from "./networks/pinterest.ts";
import { threads } from "./networks/threads.ts";
import { tiktok } from "./networks/tiktok.ts";
import { twitter } from "./networks/twitter.ts";
import { youtube } from "./networks/youtube.ts";

export const NETWORKS: readonly Network[] = [
  bluesky,
  facebook,
  googleBusiness,
  instagram,
  linkedin,
  mastodon,
  pinterest,
  threads,
  tiktok,
  twitter,
  youtube,
];
