/** Problems of rows: fields, filters, times, platforms, media. */
export const ROW_CODES = {
  "row/missing-field": {
    rule: "A post has content or media, platforms and a time.",
    cause: "A cell that a post needs is blank.",
    fix: "Fill it in, set a value under `defaults:`, or mark the row as a `draft`.",
  },
  "row/id": {
    rule: "An id is short, on one line, and does not look like a derived key.",
    cause: "The id is too long, has several lines, or looks like one that plancast makes.",
    fix: "Give it a short name, such as `spring-1`.",
  },
  "row/duplicate-id": {
    rule: "No two rows have one id.",
    cause: "A row was copied with its id.",
    fix: "Give one of them another id, or leave it blank.",
  },
  "row/duplicate-post": {
    rule: "No two rows publish one text at one time on one platform.",
    cause: "A row was copied, or stands in two calendars.",
    fix: "Remove one of them, or change its text or time.",
  },
  "row/yes-or-no": {
    rule: "A column of yes and no says one of them.",
    cause: "A column that says yes or no for a platform holds something else.",
    fix: "Write yes or no.",
  },
  "row/unused-variant": {
    severity: "warning",
    rule: "What is said for one platform is for one that the row goes to.",
    cause: "A text, picture or time is given for a platform that the row does not go to.",
    fix: "Add the platform, or remove what is for it alone.",
  },
  "row/variant": {
    rule: "One thing is said once for one platform.",
    cause: "One thing is said twice for one platform, for example under two of its names.",
    fix: "Keep one.",
  },
  "row/refused": {
    rule: "A row asks for nothing that plancast does not do.",
    cause: "The row asks for what plancast does not do, such as the next free time of a queue.",
    fix: "Fill in the time, and leave that cell blank.",
  },
  "row/carousel": {
    rule: "Rows that are one post say the same, but for their media.",
    cause: "Rows of one carousel differ in more than their pictures.",
    fix: "Make them the same, or give one another time.",
  },
  "row/status": {
    rule: "A status is empty, ready, draft or skip, or a word that `status_values:` knows.",
    cause: "The status is a word of your team's own.",
    fix: "Say what it means: `status_values: { Approved: ready }`.",
  },
  "row/not-drafted": {
    rule: "What a row's prompt asks for is written, by `plancast draft` or by hand, before the row is planned.",
    cause: "The row has a `prompt` or an `image_prompt`, and no text or picture yet.",
    fix: "Run `plancast draft`, read what it wrote, and mark the row ready; or write the text yourself.",
  },
  "filter/unknown-column": {
    rule: "A column by which rows are chosen is one of a calendar.",
    cause: "`only:` or `--only` names a column that no calendar has.",
    fix: "Take a column's name as it is in the header.",
  },
  "filter/no-rows": {
    severity: "warning",
    rule: "A filter leaves some row.",
    cause: "No row has the values that are asked for.",
    fix: "Check the spelling of the value; `plancast columns FILE` shows the columns.",
  },
  "schedule/format": {
    rule: "A time has one of the documented forms.",
    cause: "The cell holds a time in a form that is not known, or no time at all.",
    fix: "Write it like `2036-03-01 09:30`.",
  },
  "schedule/ambiguous-date": {
    rule: "A date can be read in one way, or `date_order:` says in which.",
    cause: "A date such as 3/4/2036 may be the third of April or the fourth of March.",
    fix: "Say `date_order: dmy` (or `mdy`, `ymd`) once in `plancast.yaml`; or write 2036-04-03.",
  },
  "schedule/date-order": {
    rule: "A date has the order that `date_order:` says.",
    cause: "The date cannot be read in the order that the project says.",
    fix: "Correct the date, or `date_order:`.",
  },
  "schedule/weekday": {
    rule: "A date is the day of the week that stands beside it.",
    cause: "The date and the day of the week beside it do not fit; one of them is wrong.",
    fix: "Correct the one that is wrong.",
  },
  "schedule/incomplete": {
    rule: "A date has a time, a time has a date.",
    cause: "There is a date without a time of day, or a time without a date.",
    fix: 'Fill in the other; or set `defaults: { time: "09:30" }`.',
  },
  "schedule/conflict": {
    rule: "A row gives its time once: scheduled_at, or date and time.",
    cause: "The row has `scheduled_at` and also `date` or `time`.",
    fix: "Keep one of the two.",
  },
  "schedule/no-timezone": {
    rule: "A time without an offset has a zone to be read in.",
    cause: "Neither the row nor the calendar nor the project says in which zone the time is meant.",
    fix: "Say `timezone: Europe/Paris` in `plancast.yaml`.",
  },
  "schedule/unknown-timezone": {
    rule: "A zone is an IANA name.",
    cause: "The zone is a short form such as CET, or mistyped.",
    fix: "Write an IANA name, such as `Europe/Paris`.",
  },
  "schedule/nonexistent-time": {
    rule: "A local time is not one that a clock change skips.",
    cause: "Clocks are set forward over that time.",
    fix: "Choose a time before or after the change, or give an offset.",
  },
  "schedule/ambiguous-time": {
    rule: "A local time is not one that happens twice.",
    cause: "Clocks are set back, so that time happens twice.",
    fix: "Give an offset, such as `+01:00`, or choose another time.",
  },
  "schedule/past": {
    severity: "warning",
    rule: "A row that was never scheduled is not already past.",
    cause: "The time was over before the row was ever scheduled.",
    fix: "Give the row a later time, or leave it: it is not scheduled.",
  },
  "platform/unknown": {
    rule: "A platform is one that the service knows.",
    cause: "The platform is mistyped, or not connected to the account.",
    fix: "Take the name that is suggested; `plancast platforms list` shows what is connected. Give your own words a meaning with `platforms: { insta: instagram }`.",
  },
  "platform/format": {
    rule: "A platform is a short name.",
    cause: "The cell holds a sentence, or characters that no platform's name has.",
    fix: "Write names such as `linkedin, x`.",
  },
  "platform/account": {
    rule: "The project says which platform an account is.",
    cause: "The file names an account by its number or name.",
    fix: 'Say in `plancast.yaml` which platform it is: `platforms: { "4711": linkedin }`.',
  },
  "platform/unchecked": {
    severity: "warning",
    rule: "The service's list of platforms can be read.",
    cause: "The service does not give its list of platforms, or not to this key.",
    fix: "Nothing; the names are not checked.",
  },
  "media/unknown-id": {
    rule: "A media id is one that the service has.",
    cause: "The id is mistyped, or the media were deleted on the service.",
    fix: "Name the file itself, or copy the id from `plancast media list`.",
  },
  "media/missing": {
    rule: "A media file exists.",
    cause: "The file is not there: it was renamed, not committed, or lies in another folder.",
    fix: "Put it beside the calendar; upper and lower case count.",
  },
  "media/not-a-file": {
    rule: "A media path is a file, not a folder or a device.",
    cause: "The path is that of a folder.",
    fix: "Name the picture or video itself.",
  },
  "media/empty": {
    rule: "A media file is not empty.",
    cause: "The file has no bytes: an export or a sync did not finish.",
    fix: "Export it again.",
  },
  "media/unreadable": {
    rule: "A media file can be read.",
    cause: "The file may not be read.",
    fix: "Check its permissions.",
  },
  "media/outside-project": {
    rule: "A media file lies inside the project, links resolved.",
    cause: "The path, or a link, leads out of the project.",
    fix: "Copy the file into the project.",
  },
  "media/type": {
    rule: "A media file's bytes are an image's or a video's.",
    cause: "The file is no picture or video by its bytes, whatever its name says.",
    fix: "Export it as PNG, JPEG, GIF, WebP or MP4.",
  },
  "media/url": {
    rule: "An address of media is http or https, without a user name or password.",
    cause: "The address is of another kind than http or https, or holds a password.",
    fix: "Use an address that anybody can open, or download the file and name its path.",
  },
  "media/url-private": {
    rule: "An address of media is one of a public host, or of one that `media.allow_hosts` names.",
    cause: "The address is one of a private network or of this machine.",
    fix: "Name the host under `media.allow_hosts`, if you trust it.",
  },
  "media/hosts-not-confirmed": {
    rule: "In CI, the job's settings allow private hosts.",
    cause:
      "Only `media.allow_hosts` in `plancast.yaml` allows a host, and a pull request can change that file to reach your network.",
    fix: "Name the hosts in PLANCAST_MEDIA_ALLOW_HOSTS in the job (the Action's input `media-allow-hosts`), or take them out.",
  },
  "media/url-redirect": {
    rule: "An address of media leads to the file within a few redirects, none of them to plain http.",
    cause: "The address leads on too often, or to plain http.",
    fix: "Open it in a browser and use the address where you end.",
  },
  "media/url-unreachable": {
    rule: "An address of media can be reached and answers in time.",
    cause: "The host does not answer, or not in time.",
    fix: "Check the address, or run again later.",
  },
  "media/url-refused": {
    rule: "An address of media gives the file to whoever asks.",
    cause: "The file was moved, or is only for those who log in.",
    fix: "Use an address that gives the file to whoever asks.",
  },
  "media/url-broken": {
    rule: "A download arrives whole, and not compressed.",
    cause: "The download ended before the file did.",
    fix: "Run again.",
  },
  "media/url-too-large": {
    rule: "A download is no larger than `media.max_size`.",
    cause: "The file is larger than is downloaded.",
    fix: "Use a smaller file, or raise `media.max_size`.",
  },
  "media/path": {
    rule: "A media path is a readable name.",
    cause: "The path holds characters that cannot be seen.",
    fix: "Type it again.",
  },
  "media/changed": {
    rule: "A media file does not change while it is uploaded.",
    cause: "The file was saved while the run went on, or an address gives another file than was planned.",
    fix: "Plan again and look, then apply.",
  },
  "media/not-pruned": {
    rule: "Media are forgotten when it is known which of them are in use.",
    cause: "The service does not tell which media its posts hold.",
    fix: "Run it again when no post is scheduled.",
  },
} as const;
