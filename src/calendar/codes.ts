import { CHECKS } from "./checks.ts";

/**
 * Every code that plancast prints, with its severity and the rule it stands for. Codes are part of the contract:
 * scripts match them, so one is never renamed. The messages, which name the place and the way on, stand where the
 * rule is checked.
 */
export const CODES = {
  "project/not-found": {
    severity: "error",
    rule: "A project has a plancast.yaml, here or in a folder above.",
  },
  "project/unreadable": { severity: "error", rule: "The project file can be read and is UTF-8." },
  "project/invalid": { severity: "error", rule: "The project file is YAML of the documented shape." },
  "project/unknown-key": {
    severity: "error",
    rule: "The project file has no keys that plancast does not know.",
  },
  "project/not-extended": {
    severity: "error",
    rule: "columns --write adds to the project file without changing what it says.",
  },
  "project/exists": { severity: "error", rule: "init overwrites nothing." },

  "calendar/none-found": {
    severity: "warning",
    rule: "The patterns under `calendars:` match at least one file.",
  },
  "calendar/not-in-project": {
    severity: "error",
    rule: "A calendar named on the command line is one of the project's.",
  },
  "calendar/outside-project": {
    severity: "error",
    rule: "A calendar lies inside the project, links resolved.",
  },
  "calendar/unknown-format": {
    severity: "error",
    rule: "A calendar's name ends in a format that plancast reads.",
  },
  "calendar/unreadable": { severity: "error", rule: "A calendar can be opened and read." },
  "calendar/too-large": { severity: "error", rule: "A calendar is small enough to be one." },
  "calendar/encoding": { severity: "error", rule: "A text calendar's encoding is known." },
  "calendar/guessed-encoding": { severity: "warning", rule: "Text is Unicode, or its encoding is named." },
  "calendar/empty": { severity: "warning", rule: "A calendar holds at least one row." },
  "calendar/unknown-key": {
    severity: "error",
    rule: "A YAML calendar has no keys that plancast does not know.",
  },
  "calendar/shape": {
    severity: "error",
    rule: "A YAML calendar is a list of posts, or a mapping with `posts`.",
  },

  "csv/no-header": {
    severity: "error",
    rule: "The first row names the columns; where the project says that none does, it is a post.",
  },
  "csv/duplicate-header": { severity: "error", rule: "No two columns stand for one field." },
  "csv/missing-header": { severity: "error", rule: "The columns that every post needs are there." },
  "csv/row-above-header": { severity: "error", rule: "No posts stand above the header." },
  "csv/unknown-column": { severity: "warning", rule: "Every column stands for a field." },
  "csv/not-carried": { severity: "warning", rule: "The service has a place for what a column holds." },
  "csv/ragged-row": { severity: "error", rule: "A row has no more cells than the header has columns." },
  "csv/bare-quote": { severity: "error", rule: "A quote within a cell is doubled, and the cell is quoted." },
  "csv/unclosed-quote": { severity: "error", rule: "A quoted cell ends with a quote." },
  "csv/row-too-long": { severity: "error", rule: "A row is of a sensible size." },
  "csv/syntax": { severity: "error", rule: "The file is CSV." },

  "workbook/kind": { severity: "error", rule: "A workbook is an .xlsx or .ods file by its content, too." },
  "workbook/password": { severity: "error", rule: "A workbook opens without a password." },
  "workbook/macros": { severity: "error", rule: "A workbook holds no programs." },
  "workbook/damaged": { severity: "error", rule: "A workbook is whole." },
  "sheet/not-found": { severity: "error", rule: "The sheet that the project names is in the workbook." },
  "sheet/unclear": { severity: "error", rule: "It is clear which sheet of a workbook is the calendar." },
  "sheet/error-value": { severity: "error", rule: "A cell holds no error such as #REF!." },
  "sheet/no-result": { severity: "error", rule: "A formula's result is in the workbook." },
  "sheet/merged-cells": { severity: "error", rule: "The project says what merged cells mean." },
  "sheet/hidden-rows": { severity: "warning", rule: "The project says what is done with hidden rows." },
  "sheet/lost-link": { severity: "warning", rule: "Where a link leads is part of the text." },

  "yaml/syntax": { severity: "error", rule: "The file is YAML 1.2." },
  "yaml/duplicate-key": { severity: "error", rule: "A mapping names each key once." },
  "yaml/several-documents": { severity: "error", rule: "A file holds one document." },
  "yaml/too-many-aliases": { severity: "error", rule: "Aliases do not multiply without end." },
  "yaml/too-deep": { severity: "error", rule: "A file nests no deeper than calendars do." },
  "yaml/lost-hashtag": { severity: "warning", rule: "A hashtag in a text is not taken for a comment." },
  "yaml/unsupported": { severity: "error", rule: "No YAML 1.1 directive, no tags." },

  "row/missing-field": { severity: "error", rule: "A post has content or media, platforms and a time." },
  "row/not-drafted": {
    severity: "error",
    rule: "What a row's prompt asks for is written, by `plancast draft` or by hand, before the row is planned.",
  },
  "row/id": { severity: "error", rule: "An id is short, on one line, and does not look like a derived key." },
  "row/duplicate-id": { severity: "error", rule: "No two rows have one id." },
  "row/duplicate-post": {
    severity: "error",
    rule: "No two rows publish one text at one time on one platform.",
  },
  "row/yes-or-no": { severity: "error", rule: "A column of yes and no says one of them." },
  "row/unused-variant": {
    severity: "warning",
    rule: "What is said for one platform is for one that the row goes to.",
  },
  "row/variant": { severity: "error", rule: "One thing is said once for one platform." },
  "row/refused": { severity: "error", rule: "A row asks for nothing that plancast does not do." },
  "row/carousel": { severity: "error", rule: "Rows that are one post say the same, but for their media." },
  "row/status": {
    severity: "error",
    rule: "A status is empty, ready, draft or skip, or a word that `status_values:` knows.",
  },

  "filter/unknown-column": {
    severity: "error",
    rule: "A column by which rows are chosen is one of a calendar.",
  },
  "filter/no-rows": { severity: "warning", rule: "A filter leaves some row." },

  "schedule/format": { severity: "error", rule: "A time has one of the documented forms." },
  "schedule/ambiguous-date": {
    severity: "error",
    rule: "A date can be read in one way, or `date_order:` says in which.",
  },
  "schedule/date-order": { severity: "error", rule: "A date has the order that `date_order:` says." },
  "schedule/weekday": { severity: "error", rule: "A date is the day of the week that stands beside it." },
  "schedule/incomplete": { severity: "error", rule: "A date has a time, a time has a date." },
  "schedule/conflict": {
    severity: "error",
    rule: "A row gives its time once: scheduled_at, or date and time.",
  },
  "schedule/no-timezone": { severity: "error", rule: "A time without an offset has a zone to be read in." },
  "schedule/unknown-timezone": { severity: "error", rule: "A zone is an IANA name." },
  "schedule/nonexistent-time": {
    severity: "error",
    rule: "A local time is not one that a clock change skips.",
  },
  "schedule/ambiguous-time": { severity: "error", rule: "A local time is not one that happens twice." },
  "schedule/past": { severity: "warning", rule: "A row that was never scheduled is not already past." },

  "platform/unknown": { severity: "error", rule: "A platform is one that the service knows." },
  "platform/format": { severity: "error", rule: "A platform is a short name." },
  "platform/account": { severity: "error", rule: "The project says which platform an account is." },
  "platform/unchecked": { severity: "warning", rule: "The service's list of platforms can be read." },

  "media/unknown-id": { severity: "error", rule: "A media id is one that the service has." },
  "media/missing": { severity: "error", rule: "A media file exists." },
  "media/not-a-file": { severity: "error", rule: "A media path is a file, not a folder or a device." },
  "media/empty": { severity: "error", rule: "A media file is not empty." },
  "media/unreadable": { severity: "error", rule: "A media file can be read." },
  "media/outside-project": {
    severity: "error",
    rule: "A media file lies inside the project, links resolved.",
  },
  "media/type": { severity: "error", rule: "A media file's bytes are an image's or a video's." },
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
  "media/url-refused": { severity: "error", rule: "An address of media gives the file to whoever asks." },
  "media/url-broken": { severity: "error", rule: "A download arrives whole, and not compressed." },
  "media/url-too-large": { severity: "error", rule: "A download is no larger than `media.max_size`." },
  "media/path": { severity: "error", rule: "A media path is a readable name." },
  "media/changed": { severity: "error", rule: "A media file does not change while it is uploaded." },
  "media/not-pruned": {
    severity: "error",
    rule: "Media are forgotten when it is known which of them are in use.",
  },

  "plan/possible-older-version": {
    severity: "warning",
    rule: "No foreign post stands where a new one is to go.",
  },
  "plan/past-but-scheduled": { severity: "warning", rule: "No post of a past row is still to come." },
  "plan/unsettled": { severity: "warning", rule: "Every earlier create has a known outcome." },
  "plan/due-before-turn": {
    severity: "warning",
    rule: "The rate limit lets every post be created before it is due.",
  },
  "plan/cancels-withheld": {
    severity: "warning",
    rule: "Nothing is cancelled while the row may be where this run does not look.",
  },

  "service/not-configured": { severity: "error", rule: "The project names a service, or `embedded`." },
  "service/address": {
    severity: "error",
    rule: "The service's address is an https URL without key, query or fragment.",
  },
  "service/no-key": { severity: "error", rule: "There is a key for the service." },
  "service/key": { severity: "error", rule: "A key is one line of printable characters." },
  "service/id": { severity: "error", rule: "An id of the service is one printable word." },
  "service/not-found": { severity: "error", rule: "What is named is on the service." },
  "service/unreachable": { severity: "error", rule: "The service can be reached." },
  "service/redirect": { severity: "error", rule: "The service does not send the key elsewhere." },
  "service/refused": { severity: "error", rule: "The service accepts the request." },
  "service/unauthorized": { severity: "error", rule: "The service accepts the key." },
  "service/forbidden": { severity: "error", rule: "The key may do what is asked." },
  "service/rate-limited": { severity: "error", rule: "The service takes requests within a sensible time." },
  "service/unreadable": { severity: "error", rule: "The service's answers can be understood." },
  "service/list-not-whole": { severity: "error", rule: "The list of scheduled posts can be shown whole." },
  "service/not-comparable": { severity: "error", rule: "Posts can be compared, or the lockfile knows them." },
  "service/unknown-status": { severity: "error", rule: "The state of an owned post is a known one." },

  "lockfile/unreadable": { severity: "error", rule: "The lockfile can be read, and written." },
  "lockfile/invalid": { severity: "error", rule: "The lockfile is as plancast wrote it." },
  "lockfile/conflict": { severity: "error", rule: "The lockfile holds no conflict markers." },
  "lockfile/newer-version": {
    severity: "error",
    rule: "The lockfile's version is one that this plancast knows.",
  },
  "lockfile/other-service": { severity: "error", rule: "The lockfile is of the service that is configured." },
  "journal/invalid": { severity: "error", rule: "The journal is as plancast wrote it." },
  "journal/other-service": {
    severity: "error",
    rule: "A run that was cut short is finished before one on another service.",
  },
  "outcomes/invalid": {
    severity: "error",
    rule: "The record of what became of posts is as plancast wrote it.",
  },
  "listen/address": { severity: "error", rule: "The receiver of events can listen at its address." },
  "listen/path": { severity: "error", rule: "The kept path of the receiver is as plancast wrote it." },
  "listen/in-use": { severity: "error", rule: "One process at a time receives a project's events." },
  "share/address": {
    severity: "error",
    rule: "The address of Redis is a redis:// or rediss:// URL without query or fragment.",
  },
  "share/unreachable": { severity: "error", rule: "Redis, where it is named, can be reached." },
  "share/refused": { severity: "error", rule: "Redis does what is asked of it." },
  "share/lost": { severity: "error", rule: "Redis answers as long as a run goes on." },
  "share/lock-lost": { severity: "error", rule: "A run keeps its lock in Redis to its end." },
  "run/needs-yes": { severity: "error", rule: "What cannot be taken back is confirmed, or --yes says so." },
  "run/locked": { severity: "error", rule: "One apply at a time." },
  "embedded/in-use": {
    severity: "error",
    rule: "One process at a time writes to the embedded service's store.",
  },
  "embedded/store-invalid": {
    severity: "error",
    rule: "The embedded service's store is as plancast wrote it.",
  },
  "embedded/address": { severity: "error", rule: "The embedded service can listen at its address." },
  "disk/not-writable": { severity: "error", rule: "Project state can be written." },

  "guard/too-many-cancels": { severity: "error", rule: "An apply cancels at most safety.max_cancels posts." },
  "guard/too-many-cancels-percent": {
    severity: "error",
    rule: "An apply cancels at most safety.max_cancel_percent of the owned posts.",
  },
  "guard/no-rows": { severity: "error", rule: "Posts are not cancelled because every row is gone." },

  "apply/needs-yes": { severity: "error", rule: "An apply without a terminal says --yes." },
  "apply/plan-changed": { severity: "error", rule: "A saved plan is still what would be done." },
  "apply/plan-file": { severity: "error", rule: "A plan file is as plancast wrote it." },

  "apply/already-published": { severity: "error", rule: "A post is cancelled before it is published." },
  "apply/half-replaced": { severity: "error", rule: "A replacement that began is finished." },

  "write/unwritable": {
    severity: "error",
    rule: "What a calendar says can be written in the format that is asked for.",
  },
  "write/not-the-same": {
    severity: "error",
    rule: "What was written would be read as what it was written from.",
  },
  "write/exists": { severity: "error", rule: "A file is overwritten only with --force." },

  "pull/left-out": { severity: "warning", rule: "Every scheduled post can be written as a row." },
  "pull/media-untold": { severity: "warning", rule: "The service tells the media of its posts." },
  "pull/not-adopted": {
    severity: "error",
    rule: "Posts are adopted whose rows are in a calendar of the project.",
  },

  "draft/size": { severity: "error", rule: "The size of a picture is width and height, such as 1024x1024." },
  "draft/unknown-key": { severity: "error", rule: "A row that is to be drafted again has a prompt." },
  "draft/not-written": { severity: "error", rule: "What the service wrote can stand in its calendar." },
  "draft/file-changed": {
    severity: "error",
    rule: "A calendar does not change while the service is asked.",
  },
  "preview/address": { severity: "error", rule: "The preview can be served at its address." },

  "resolve/nothing": { severity: "error", rule: "What is resolved is in doubt." },
  "resolve/not-scheduled": { severity: "error", rule: "A post that is said to exist is scheduled." },

  ...CHECKS,

  "ci/job": {
    severity: "error",
    rule: "`plancast ci` runs in a job of GitHub Actions, or of a runner like it.",
  },
  "ci/input": { severity: "error", rule: "The inputs of the GitHub Action are as action.yml says." },
  "ci/embedded": { severity: "error", rule: "A CI job plans and applies on a service that outlives it." },
  "ci/not-reviewed": {
    severity: "error",
    rule: "What the GitHub Action applies was in the plan of a merged pull request.",
  },
  "ci/github": { severity: "error", rule: "GitHub's API does what the GitHub Action asks of it." },
  "ci/comment": { severity: "warning", rule: "The plan can be shown in a comment on its pull request." },
  "ci/lockfile": { severity: "error", rule: "The lockfile that an apply changed gets into the repository." },

  "client/arguments": { severity: "error", rule: "The client is called as its types say." },
  "client/closed": { severity: "error", rule: "A client is used before it is closed." },
  "usage/arguments": { severity: "error", rule: "Arguments are as --help says." },
  "internal/fault": { severity: "error", rule: "plancast has no faults." },
} as const satisfies Record<string, { severity: "error" | "warning"; rule: string }>;

export type Code = keyof typeof CODES;
