/** Problems of media files and addresses. */

import type { ProblemEntry } from "./problem-entry.ts";

export const MEDIA_CODES = {
  "media/unknown-id": {
    severity: "error",
    rule: "A media id is one that the service has.",
    cause: "The id is mistyped, or the media were deleted on the service.",
    fix: "Name the file itself, or copy the id from `plancast media list`.",
  },
  "media/missing": {
    severity: "error",
    rule: "A media file exists.",
    cause: "The file is not there: it was renamed, not committed, or lies in another folder.",
    fix: "Put it beside the calendar; upper and lower case count.",
  },
  "media/not-a-file": {
    severity: "error",
    rule: "A media path is a file, not a folder or a device.",
    cause: "The path is that of a folder.",
    fix: "Name the picture or video itself.",
  },
  "media/empty": {
    severity: "error",
    rule: "A media file is not empty.",
    cause: "The file has no bytes: an export or a sync did not finish.",
    fix: "Export it again.",
  },
  "media/unreadable": {
    severity: "error",
    rule: "A media file can be read.",
    cause: "The file may not be read.",
    fix: "Check its permissions.",
  },
  "media/outside-project": {
    severity: "error",
    rule: "A media file lies inside the project, links resolved.",
    cause: "The path, or a link, leads out of the project.",
    fix: "Copy the file into the project.",
  },
  "media/type": {
    severity: "error",
    rule: "A media file's bytes are an image's or a video's.",
    cause: "The file is no picture or video by its bytes, whatever its name says.",
    fix: "Export it as PNG, JPEG, GIF, WebP or MP4.",
  },
  "media/url": {
    severity: "error",
    rule: "An address of media is http or https, without a user name or password.",
    cause: "The address is of another kind than http or https, or holds a password.",
    fix: "Use an address that anybody can open, or download the file and name its path.",
  },
  "media/url-private": {
    severity: "error",
    rule: "An address of media is one of a public host, or of one that `media.allow_hosts` names.",
    cause: "The address is one of a private network or of this machine.",
    fix: "Name the host under `media.allow_hosts`, if you trust it.",
  },
  "media/url-redirect": {
    severity: "error",
    rule: "An address of media leads to the file within a few redirects, none of them to plain http.",
    cause: "The address leads on too often, or to plain http.",
    fix: "Open it in a browser and use the address where you end.",
  },
  "media/url-unreachable": {
    severity: "error",
    rule: "An address of media can be reached and answers in time.",
    cause: "The host does not answer, or not in time.",
    fix: "Check the address, or run again later.",
  },
  "media/url-refused": {
    severity: "error",
    rule: "An address of media gives the file to whoever asks.",
    cause: "The file was moved, or is only for those who log in.",
    fix: "Use an address that gives the file to whoever asks.",
  },
  "media/url-broken": {
    severity: "error",
    rule: "A download arrives whole, and not compressed.",
    cause: "The download ended before the file did.",
    fix: "Run again.",
  },
  "media/url-too-large": {
    severity: "error",
    rule: "A download is no larger than `media.max_size`.",
    cause: "The file is larger than is downloaded.",
    fix: "Use a smaller file, or raise `media.max_size`.",
  },
  "media/path": {
    severity: "error",
    rule: "A media path is a readable name.",
    cause: "The path holds characters that cannot be seen.",
    fix: "Type it again.",
  },
  "media/changed": {
    severity: "error",
    rule: "A media file does not change while it is uploaded.",
    cause: "The file was saved while the run went on, or an address gives another file than was planned.",
    fix: "Plan again and look, then apply.",
  },
  "media/not-pruned": {
    severity: "error",
    rule: "Media are forgotten when it is known which of them are in use.",
    cause: "The service does not tell which media its posts hold.",
    fix: "Run it again when no post is scheduled.",
  },
} as const satisfies Record<string, ProblemEntry>;
