import type { CodeEntry } from "../code-entry.ts";

export const MEDIA_CODES = {
  "media/unknown-id": {
    severity: "error",
    rule: "A media id is one that the service has.",
  },
  "media/missing": {
    severity: "error",
    rule: "A media file exists.",
  },
  "media/not-a-file": {
    severity: "error",
    rule: "A media path is a file, not a folder or a device.",
  },
  "media/empty": {
    severity: "error",
    rule: "A media file is not empty.",
  },
  "media/unreadable": {
    severity: "error",
    rule: "A media file can be read.",
  },
  "media/outside-project": {
    severity: "error",
    rule: "A media file lies inside the project, links resolved.",
  },
  "media/type": {
    severity: "error",
    rule: "A media file's bytes are an image's or a video's.",
  },
  "media/url": {
    severity: "error",
    rule: "An address of media is http or https, without a user name or password.",
  },
  "media/url-private": {
    severity: "error",
    rule: "An address of media is one of a public host, or of one that `media.allow_hosts` names.",
  },
  "media/url-redirect": {
    severity: "error",
    rule: "An address of media leads to the file within a few redirects, none of them to plain http.",
  },
  "media/url-unreachable": {
    severity: "error",
    rule: "An address of media can be reached and answers in time.",
  },
  "media/url-refused": {
    severity: "error",
    rule: "An address of media gives the file to whoever asks.",
  },
  "media/url-broken": {
    severity: "error",
    rule: "A download arrives whole, and not compressed.",
  },
  "media/url-too-large": {
    severity: "error",
    rule: "A download is no larger than `media.max_size`.",
  },
  "media/path": {
    severity: "error",
    rule: "A media path is a readable name.",
  },
  "media/changed": {
    severity: "error",
    rule: "A media file does not change while it is uploaded.",
  },
  "media/not-pruned": {
    severity: "error",
    rule: "Media are forgotten when it is known which of them are in use.",
  },
} as const satisfies Record<string, CodeEntry>;
