/** Problems of rows: fields, filters, times, platforms, media. */
export const ROW_CODES = {
  "row/missing-field": {
    rule: "A post has content or media, platforms, a date and a time.",
    cause:
      "A cell that a post needs is blank: for example, the row has a date without a time. With `carry:`, perhaps only the text of the row is filled, and everything else would come from the row above.",
    fix: 'Fill it in, set a value under `defaults:`, such as `defaults: { time: "09:30" }`, or mark the row as a `draft`. If it is a note, move it to the first column and write `# ` before it.',
  },
  "row/held-back": {
    rule: "No note or title says that a row must not be published.",
    cause:
      "A note such as `please do not publish` is in a column that plancast does not use, on a cell, or above the row.",
    fix: "Clear the note, or give the row the status `draft` or `skip`. If the column is about something else, ignore it.",
  },
  "row/id": {
    rule: "An id is short, on one line, and does not look like one that plancast makes.",
    cause: "The id is too long, has several lines, or looks like one that plancast makes.",
    fix: "Give it a short name, such as `spring-1`.",
  },
  "row/duplicate-id": {
    rule: "Each id is unique.",
    cause: "A row was copied with its id.",
    fix: "Give one row another id, or clear its id.",
  },
  "row/duplicate-post": {
    rule: "No two rows publish the same text at the same time on the same platform.",
    cause: "A row was copied, or is in two calendars.",
    fix: "Remove one of them, or change its text or time. If the rows hold the pictures of one post, set `carousel_rows: join`.",
  },
  "row/unused-value": {
    severity: "warning",
    rule: "A row has texts, media, alt texts and times only for what it has.",
    cause:
      "The row gives a text, picture or time for a platform that is not one of its platforms. Or it has an alt text without a picture or video, which is missing or in another column.",
    fix: "Add the platform, or name the file in `media`. Or remove the value.",
  },
  "row/carousel": {
    rule: "Rows of one carousel differ only in their media.",
    cause: "Rows of one carousel differ in more than their media.",
    fix: "Make the other cells the same, or change the time of one row.",
  },
  "row/not-a-post": {
    severity: "warning",
    rule: "Each row of a table is a post.",
    cause:
      "The row fills only columns that plancast does not read, or holds only a title, a total, a comment or a status.",
    fix: "Do nothing, or delete the row. If it is a post, fill in its text, date or media.",
  },
  "row/option": {
    rule: "Each option of a row exists, and its value is one that it takes.",
    cause:
      "The name of an option, or its value, is mistyped. Or the option and the type of the row contradict each other.",
    fix: "Use a name and a value that docs/write/options.md lists. Defaults are below `options:` of plancast.yaml.",
  },
  "row/type": {
    rule: "plancast can publish each row as its type says.",
    cause:
      "The row is a Story, a poll or another type that plancast does not publish, or it waits for the next free time of a queue. Or a Reel has no video.",
    fix: "Publish it by hand, and mark the row as `skip`. To leave out all rows of a type, set `values: { type: { Story: skip } }`. For a queue, fill in the time and leave that cell blank.",
  },
  "row/alt-count": {
    rule: "A row has at most one alt text for each picture or video.",
    cause:
      "The row has more alt texts than media, so plancast does not know which one belongs to which file.",
    fix: "Write one text for each file, in the same order, with `|` between them.",
  },
  "row/too-many-replies": {
    rule: "A thread has at most 50 texts after the post itself.",
    cause: "The cell has very many lines `---`, or a list in YAML is very long.",
    fix: "Split the row into several posts. Check who wrote it: each text of a thread becomes a separate post.",
  },
  "row/thread-media": {
    rule: "Pictures and videos of a thread belong to one of its texts.",
    cause: "`thread_media` names files for more texts than `thread` has.",
    fix: "Add the missing text, or remove the files.",
  },
  "row/poll": {
    rule: "A poll has two choices or more, and says how long it runs.",
    cause: "A choice is missing or there twice, or the length is not a time.",
    fix: "Write the choices into `poll`, with `|` between them, and the length into `poll_length`, such as `3d`.",
  },
  "row/untagged-link": {
    severity: "warning",
    rule: "If `utm:` adds parameters to a link, it is clear where the link ends.",
    cause:
      "Letters or other characters follow the link without a space, or the link contains letters that networks do not accept in a link.",
    fix: "Write a space after the link, or add the parameters yourself.",
  },
  "row/unknown-mention": {
    severity: "warning",
    rule: "On your own account on Bluesky, each handle in a new post belongs to somebody.",
    cause:
      "The handle is mistyped, or its owner has changed or deleted it. The server of your account says so.",
    fix: "Correct the handle. Otherwise the post goes out, with the handle as plain text.",
  },
  "row/not-drafted": {
    rule: "A row with a prompt has its text or picture before you plan it.",
    cause: "The row has a `prompt` or an `image_prompt`, and no text or picture yet.",
    fix: "Run `plancast draft`, read what it wrote, and mark the row ready; or write the text yourself.",
  },
  "filter/no-rows": {
    severity: "warning",
    rule: "A filter matches at least one row.",
    cause: "No row has the values in the filter.",
    fix: "Check the spelling of the value. `plancast columns FILE` shows the columns.",
  },
  "schedule/format": {
    rule: "A time is in a format that plancast reads.",
    cause: "plancast cannot read the time in the cell.",
    fix: "Write it like `2036-03-01 09:30`.",
  },
  "schedule/ambiguous-date": {
    rule: "A date has only one meaning, or `date_order:` sets its order.",
    cause: "A date such as 3/4/2036 may be the third of April or the fourth of March.",
    fix: "Set `date_order: dmy` (or `mdy`, `ymd`) in `plancast.yaml`, or write 2036-04-03.",
  },
  "schedule/date-order": {
    rule: "A date, and the order of dates in a header, fit the order that `date_order:` sets.",
    cause:
      "The date does not fit the order in `plancast.yaml`. Or the header gives another order, for example `Date (MM/DD/YYYY)`, or one that plancast does not know, such as `Date (YYYY/DD/MM)`.",
    fix: "Correct the date or the header, or set `date_order:` for the file.",
  },
  "schedule/mixed-dates": {
    rule: "The dates of a column are all real dates, or all text.",
    cause:
      "A spreadsheet that expects another date order kept `28/9/2036` as text, but read `1/10/2036` as 10 January and stored that date.",
    fix: "Check the cells in the message, and write all dates of the column in one form, such as `2036-10-01`.",
  },
  "schedule/half-day": {
    severity: "warning",
    rule: "The times of a calendar show whether they are in the afternoon.",
    cause: "The calendar has times such as 3:00 and 9:00, but no am or pm and no time after 12:59.",
    fix: "Write `15:00` or `3:00 pm` for the afternoon, or `03:00` for the night.",
  },
  "schedule/weekday": {
    rule: "A date matches the day of the week next to it.",
    cause: "The date falls on a different day of the week than the one next to it.",
    fix: "Correct the date or the day of the week.",
  },
  "schedule/repeat": {
    rule: "A row that repeats has a rule that plancast reads, an id, a date and a local time.",
    cause: "plancast cannot read the rule, the row has no id, or its time has an offset or is a free slot.",
    fix: "Write a rule such as `weekly until 2036-06-30`, and give the row an id, a date and a time.",
  },
  "row/pool": {
    rule: "A pool has texts for the posts of a row that repeats, and enough of them for its spacing.",
    cause:
      "The row does not repeat, has a text of its own, or has no text left that was not used within the spacing.",
    fix: "Write the texts with a line `---` between them. Add texts, set a smaller spacing, or repeat the row less often.",
  },
  "row/value-twice": {
    rule: "A row gives each of its values once: for each network, in one place, and under one name.",
    cause:
      "The row has `scheduled_at` and also `date` or `time`, or two names of one network. Or a post has the same key twice, two keys for one field, or a text in its front matter and below it.",
    fix: "Keep one of them.",
  },
  "row/expires": {
    rule: "`expires` is a date, a date with a time, or a duration, and is after the time of the post.",
    cause:
      "`expires` is not after the time of the row, or of the slot that the row has. Or the cell has a time without a date, or a duration that could be a time of day, such as `18h`.",
    fix: "Write a later date, such as `2027-03-01` or `2027-03-01 18:00`, or a duration with a plus, such as `+18h`.",
  },
  "schedule/except": {
    rule: "An exception names a day of its series.",
    cause: "The day is not in the series, is listed twice, or is not in a form that plancast reads.",
    fix: "Write `2036-12-24` to leave out a post, or `2036-12-24 -> 2036-12-27 10:00` to move it.",
  },
  "schedule/no-free-slot": {
    rule: "A row without a time, or with `next`, finds a free slot.",
    cause:
      "All slots of its networks are taken, its day has none, or `slots:` has no times for one of its networks.",
    fix: 'Set times such as `slots: { default: ["weekdays 10:00"] }`, choose another day, or write a date and a time.',
  },
  "schedule/slot-taken": {
    rule: "A slot of a network belongs to one row.",
    cause:
      "Two rows have the same slot. Two branches each gave it to one of their rows, and were then merged.",
    fix: "Write a date and a time in one of the two rows.",
  },
  "schedule/no-timezone": {
    rule: "A time has a time zone or an offset.",
    cause: "Neither the row, the calendar nor the project sets a time zone.",
    fix: "Set `timezone: Europe/Paris` in `plancast.yaml`.",
  },
  "schedule/unknown-timezone": {
    rule: "A time zone is an IANA name.",
    cause: "The zone is a short form such as CET, or mistyped.",
    fix: "Write an IANA name, such as `Europe/Paris`.",
  },
  "schedule/clock-change": {
    rule: "A local time exists on its day, and happens only once.",
    cause:
      "The clocks go forward, so this time does not exist on that day. Or they go back, so it happens twice.",
    fix: "Give an offset, such as `+01:00`, or choose a time before or after the change.",
  },
  "schedule/past": {
    severity: "warning",
    rule: "A new row is in the future.",
    cause: "The time has passed, or is less than `safety.lead_time` away.",
    fix: "Choose a later time, or plancast does not schedule the row.",
  },
  "platform/unknown": {
    rule: "plancast and the service know each network, or `platforms:` defines it.",
    cause:
      "The name is mistyped, is a sentence, is not a network, or no account of it is connected. Or the file names an account by its number or name.",
    fix: 'Use the suggested name; `plancast platforms list` shows the connected ones. Define yours with `platforms: { our-forum: forum, "4711": linkedin }`, or leave it out with `platforms: { newsletter: skip }`.',
  },
  "platform/settings": {
    rule: "Each post has the options that its network needs, and `options:` names only known networks and accounts.",
    cause:
      "Postiz, Zernio and Buffer need options for some networks, such as the board for Pinterest, and neither the row nor `options:` has them. Or the name of an account in `options:` is mistyped.",
    fix: "Add the options, or correct the name: `options: { pinterest: { board: … } }`. See docs/write/options.md.",
  },
  "platform/disabled": {
    severity: "warning",
    rule: "Accounts with scheduled posts are connected.",
    cause: "Somebody disabled the account on the service, or it has lost its connection.",
    fix: "Enable or connect the account again on the service. Or take it out of the rows.",
  },
  "platform/late": {
    severity: "warning",
    rule: "The accounts of scheduled posts publish them in time.",
    cause:
      "Somebody paused the queue of the account on the service, or a day has more posts than the network allows there.",
    fix: "Resume the queue on the service, or move posts to another day.",
  },
  "platform/unchecked": {
    severity: "warning",
    rule: "plancast can read the service's list of platforms.",
    cause: "The service does not show its platforms, or does not show them to this key.",
    fix: "Do nothing. plancast does not check the names.",
  },
  "media/missing": {
    rule: "A media file exists.",
    cause:
      "The file was renamed, is not committed, or is in another folder. Or its name contains invisible characters.",
    fix: "Put it next to the calendar, and check upper and lower case in its name. Or type the name again.",
  },
  "media/type": {
    rule: "A media file is an image or a video, whatever its name says.",
    cause:
      "The file is empty because an export or a sync did not finish, or its content is something else. Or the path is a folder.",
    fix: "Name the picture or video itself. If it is damaged, export it again as PNG, JPEG, GIF, WebP or MP4.",
  },
  "media/url": {
    rule: "A media address is http or https, without a user name or password. Anybody can open it, and it redirects only a few times, and never to plain http.",
    cause:
      "The address is not one of the web, contains a password, needs a login, or redirects too often or to plain http. Or the file was moved.",
    fix: "Use the address that a browser shows in the end, without a login. Or download the file and name its path.",
  },
  "media/no-address": {
    rule: "If the service takes files only by their addresses, each file has one that answers.",
    cause:
      "`media.public_url` is not set, the file is not at its address yet, or the address has another file. Or the service does not take files of this type.",
    fix: "Do what the message says. See [Schedule posts in Buffer](../run/buffer.md#3-give-media-an-address).",
  },
  "media/url-private": {
    rule: "A media address belongs to a public host, or to one in `media.allow_hosts`. In CI, the job's settings must allow it too.",
    cause:
      "The address belongs to a private network or to this machine. Or, in CI, only `plancast.yaml` allows the host, and a pull request can change that file to reach your network.",
    fix: "If you trust the host, add it to `media.allow_hosts`. In CI, also name it in PLANCAST_MEDIA_ALLOW_HOSTS in the job (the Action's input `media-allow-hosts`).",
  },
  "media/url-unreachable": {
    rule: "The host of a media address answers in time, and the download is complete and not compressed.",
    cause:
      "The host does not answer in time, or the download stopped before the end of the file. Or all downloads of the run took more than 15 minutes.",
    fix: "Check the address, or run again: finished downloads are kept. `PLANCAST_MAX_RUN_TIME` allows more time.",
  },
  "media/url-too-large": {
    rule: "A download is not larger than `media.max_size`, and all downloads of a run have 5 GiB or less.",
    cause: "The file is larger than `media.max_size`, or the run has many large files.",
    fix: "Use a smaller file, raise `media.max_size`, or run again: finished downloads are kept. `PLANCAST_MAX_DOWNLOAD_SIZE` and `PLANCAST_MAX_RUN_SIZE` raise the maxima.",
  },
  "media/changed": {
    rule: "A media file does not change while it is uploaded.",
    cause: "Somebody saved the file during the run, or its address now gives another file.",
    fix: "Make the plan again and review it, then apply.",
  },
  "media/not-pruned": {
    rule: "plancast knows which media are in use before it forgets any.",
    cause: "The service does not show which media its posts have.",
    fix: "Run it again when no post is scheduled.",
  },
} as const;
