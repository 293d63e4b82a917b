/** Problems of plancast.yaml and of calendars as files, in each of their formats. */
export const CALENDAR_CODES = {
  "project/not-found": {
    rule: "The current folder, a folder above it, or with `--all` the named folder or one below it, has a `plancast.yaml`.",
    cause:
      "You ran the command outside of a project, or named another folder. `--all` does not search `node_modules`, `.git`, `.plancast` and symbolic links.",
    fix: "Go to the folder that has `plancast.yaml`, name the file with `--config`, or run `plancast init` to start a project. [Several projects](../run/several-projects.md) shows how to arrange them.",
  },
  "project/shared-calendar": {
    rule: "With `--all`, each calendar belongs to one project.",
    cause:
      "One project is inside another project's folder, and the patterns under `calendars:` of both match the same file.",
    fix: "Narrow `calendars:` of the outer project, for example with `!clients/**`, or move the inner project out of it.",
  },
  "project/invalid": {
    rule: "`plancast.yaml` is valid YAML, and each value is allowed for its key.",
    cause:
      "A value has the wrong type or is not one of the allowed values. Often it is a typing error, or a list instead of one value.",
    fix: "Correct the value at the line and column in the message. [The plancast.yaml page](project-file.md) lists every key, and editors that know JSON Schema check the file as you type.",
  },
  "project/holidays": {
    rule: "plancast can read the file of `holidays:`.",
    cause:
      "The file does not exist, is outside the project, or is not an iCalendar file with all-day events.",
    fix: "Correct the path, or export the calendar again. If an event repeats, it must repeat once a year.",
  },
  "project/unknown-key": {
    rule: "`plancast.yaml` contains only keys that plancast knows.",
    cause: "A key is mistyped or on the wrong level. Or it is a secret, which does not belong in this file.",
    fix: "Use the suggested name, or find the key on [the plancast.yaml page](project-file.md).",
  },
  "project/extends": {
    rule: "`extends` names a YAML file of the same repository, and no file extends itself.",
    cause:
      "The path is mistyped, leads out of the repository or through a symbolic link, or two files extend each other.",
    fix: "Correct the path. It is relative to the file that contains it. [Several projects](../run/several-projects.md) shows an example.",
  },
  "project/unanswered": {
    rule: "Somebody answers what plancast proposes for a calendar.",
    cause:
      "Nobody can be asked, because this is not a terminal or you used `--yes`. Or the file of answers still has a `?`, which `--propose` writes for what only your team knows. plancast never applies a guess about columns or values without an answer.",
    fix: "Save the printed lines as a file, replace each `?` with one of the choices in the comment beside it, and run the command again with `--answers FILE`.",
  },
  "fetch/source": {
    rule: "The address of a sheet gives the whole sheet.",
    cause:
      "The sheet is not shared with plancast, a token has expired, the address is wrong, or the host has a fault. The copy stays as it was.",
    fix: "Do what the message says. [Sheets](../run/sheets.md) describes each way to give plancast access.",
  },
  "fetch/conflict": {
    rule: "Only the sheet or only its copy is edited between two fetches.",
    cause:
      "People edited the sheet, and somebody edited the copy in git too. Or a sheet has another address now, or its first fetch finds a file of that name.",
    fix: "Read how they differ. Then take the sheet with `--take sheet`, or keep the file with `--take file`.",
  },
  "calendar/none-found": {
    severity: "warning",
    rule: "The patterns under `calendars:` match at least one file, and each file that `files:` names exists.",
    cause:
      "A pattern or a name is mistyped, names the wrong folder, or has an ending that your files do not have. Or somebody renamed, moved or deleted the file: the settings of its entry do nothing.",
    fix: "Move the calendar into a folder that a pattern names, or correct `calendars:`.",
  },
  "calendar/not-in-project": {
    rule: "A calendar that you name on the command line belongs to the project.",
    cause:
      "The file is outside the project, or no pattern under `calendars:` matches it. After `pull --adopt` into a file like this, the next apply would cancel its posts.",
    fix: "Name a file that a pattern matches, or add a pattern for it.",
  },
  "calendar/unknown-format": {
    rule: "A calendar is a complete file in a format that plancast reads, without a password and without macros.",
    cause:
      "A pattern matches a file that is not a calendar, or one in an older format such as `.xls`. Or the content does not fit the name, such as a web page named `plan.csv`. Or a workbook is encrypted, contains macros, or its upload or sync did not finish.",
    fix: "Open it in a spreadsheet program and save it as XLSX, ODS or CSV, without a password and macros. Or narrow the pattern.",
  },
  "calendar/too-large": {
    rule: "A calendar is not too large to read.",
    cause:
      "The file is far larger than a calendar of posts. Often it is an export of something else, or a workbook that contains pictures.",
    fix: "Split the calendar by month, and save pictures as files next to it.",
  },
  "calendar/encoding": {
    rule: "plancast knows the encoding of each text calendar.",
    cause: "The file has an older encoding, or is not text.",
    fix: 'Save it as "CSV UTF-8", or name its encoding with `encoding:`.',
  },
  "calendar/conflict": {
    rule: "A calendar has the rows of both branches after a merge, and no conflict markers.",
    cause:
      "Two branches changed the same lines, for example both added rows at the end, and git left its markers. git cannot merge workbooks: it keeps the file of one branch.",
    fix: "In a text calendar, keep the rows that you want, and delete the lines with markers. In a workbook, add the rows of the other branch, and run `git add` on it. See [resolve conflicts](../run/conflicts.md#if-the-calendar-has-a-conflict).",
  },
  "calendar/empty": {
    severity: "warning",
    rule: "A calendar contains at least one row.",
    cause: "The file has a header but no rows, or an empty list.",
    fix: "Add a row, or remove the file.",
  },
  "calendar/shape": {
    rule: "A YAML calendar is a list of posts, or a mapping with `posts`.",
    cause: "The file is YAML, but neither a list of posts nor a mapping with `posts`.",
    fix: "Begin each post with `- `, or put the posts under `posts:`.",
  },
  "csv/weekly-grid": {
    rule: "Each post has its own row.",
    cause: "The table is a weekly grid: it has a column for each weekday, and the posts are in its cells.",
    fix: "Make a table with one row for each post, and with columns for date, time, platforms and content.",
  },
  "columns/unknown": {
    rule: "Every column and key with content is accounted for.",
    cause:
      "A column has a name that plancast does not know exactly, or two columns mean the same field. Or a key in YAML is mistyped. plancast does not guess. The message also has the values of `columns/unknown-value`, so that a file has one error.",
    fix: "Paste the settings from the message into `plancast.yaml`, with the right word for each column and value. `plancast columns --ask` asks you about each of them. [Columns](../write/columns.md) lists the words.",
  },
  "columns/unknown-value": {
    rule: "Every value of a column that decides what is published has a meaning.",
    cause:
      "A status, an answer or a type is a word that plancast does not know, such as `Черновик`. Or it means opposite things in different teams, such as `pending`.",
    fix: "Paste the settings from the message into `plancast.yaml`, with the right meaning for each value. `plancast columns --ask` asks you about each value.",
  },
  "columns/not-found": {
    rule: "A filter, and each name under `carry:`, names a column that a calendar has.",
    cause: "The name is mistyped, or the file has no column with that header.",
    fix: "Copy the column's name from the header. Under `carry:`, a field such as `date` is possible too. For one file only, set `carry:` in its entry under `calendars:`.",
  },
  "csv/missing-header": {
    rule: "The first row names the columns, with every column that posts need. With `header_row: none`, it is a post.",
    cause:
      "There is no column for the text, the time or the platforms, or plancast does not know its name. Or the table has no header.",
    fix: "Map your own header with `columns: { Slogan: content }`, or set `defaults:` for values that no row gives. Without a header, set `header_row: none` and name the columns by position. `plancast columns FILE` shows how plancast reads each column.",
  },
  "csv/row-above-header": {
    rule: "There are no posts above the header.",
    cause: "A row above the header looks like a post.",
    fix: "Set `header_row:` to the number of the header's row.",
  },
  "csv/header-zone": {
    rule: "A time zone in a header has one meaning.",
    cause:
      "The header of a time column names a zone such as EST, or a country with several zones, and `timezone:` does not fit it. Or it names two zones, or a place that plancast does not know. Or two headers name different zones.",
    fix: "Set `timezone: America/New_York` for the file, or correct the header. If the header names two zones or an unknown place, confirm the column too: `columns: { Time (HQ): time }`.",
  },
  "csv/zone-in-header": {
    severity: "warning",
    rule: "A time zone in a header is the one that `timezone:` sets.",
    cause:
      "The header of a time column names a zone, such as `Scheduled (UTC)`. It has priority over `timezone:`.",
    fix: "If the header is right, set `timezone: UTC` for the file. If not, correct the header.",
  },
  "csv/second-header": {
    rule: "A table has one header, or repeats it as it is.",
    cause: "Below the rows, another table begins, with its columns in another order.",
    fix: "Put its columns in the order of the first table, or move it to its own sheet or file.",
  },
  "csv/syntax": {
    rule: "A CSV file is a table, the quotes of its cells are in pairs, and the header has a column for each cell.",
    cause:
      "A text contains a comma and is not quoted, so it became two cells. Or a cell contains a quotation mark that is not written twice, or no quote closes a cell. One mark too many can turn many rows into one. Or the file is not a table.",
    fix: 'Write `""` for each quote in a text, and put one quote before and one after the text. A spreadsheet program does this automatically.',
  },
  "sheet/unclear": {
    rule: "Only one sheet of a workbook looks like a calendar, or `sheet:` names the sheets to read.",
    cause:
      "Several sheets look like calendars, two entries under `calendars:` read the same sheet, or the sheet in `sheet:` was renamed.",
    fix: 'Name the sheet with `sheet:`. For several, write `sheet: [December, January]`, or `sheet: "*"` for all of them.',
  },
  "sheet/left-out": {
    severity: "warning",
    rule: 'With `sheet: "*"`, each sheet with content looks like a calendar.',
    cause:
      "The workbook also has a sheet with notes or lists, or plancast does not know the headers of a calendar.",
    fix: "If the sheet is not a calendar, name the others in `sheet:`. If it is, name its columns under `columns:`.",
  },
  "sheet/merged-cells": {
    rule: "`merged_cells:` says what merged cells mean.",
    cause:
      "A blank cell is merged with the cell above. plancast does not know whether it has the same value.",
    fix: "Set `merged_cells: carry`, or unmerge the cells and fill in each one.",
  },
  "sheet/hidden-rows": {
    severity: "warning",
    rule: "`hidden_rows:` says whether plancast reads hidden rows.",
    cause: "Somebody hid rows, or a filter hides them.",
    fix: "Set `hidden_rows: skip` or `hidden_rows: read`, or show the rows again in the workbook.",
  },
  "sheet/lost-link": {
    severity: "warning",
    rule: "The text of a cell contains the address of its link.",
    cause: "The cell links to an address, but the text does not show it. plancast publishes only the text.",
    fix: "Write the address into the text.",
  },
  "sheet/formula": {
    rule: "A cell holds a value, not a formula or an error value such as `#REF!`.",
    cause: "A formula failed, or a program saved formulas without their results, or as text such as `=A1+1`.",
    fix: "Save the file again in a spreadsheet program, fix the formula, or type the value. If it is a real text in a CSV file, write an apostrophe before the text and before the header of its column.",
  },
  "markdown/no-front-matter": {
    severity: "warning",
    rule: "A Markdown file among the calendars is a post, and starts with front matter.",
    cause: "The file is a note, or its front matter is missing or not at its start.",
    fix: "Put date and networks between two lines `---` at the start of the file. If it is a note, exclude it under `calendars:`.",
  },
  "markdown/front-matter": {
    rule: "Front matter starts with a line `---` at the start of the file, and ends with another one.",
    cause: "One of the two lines is missing, or something is above the first one.",
    fix: "Put a line `---` at the start of the file, and one after the last key. If it is a note, exclude it under `calendars:`.",
  },
  "markdown/image-in-text": {
    severity: "warning",
    rule: "Pictures of a post are under `media`, and not in its text.",
    cause:
      "The text contains a picture in the form of Markdown. Networks show it as text, and not as a picture.",
    fix: "Name the picture in the front matter: `media: [{ file: tulips.jpg, alt: Red tulips }]`. Remove it from the text.",
  },
  "yaml/syntax": {
    rule: "The file is valid YAML 1.2, and is not nested deeper than calendars need.",
    cause:
      "The file is not valid YAML. Often the cause is a tab, a colon in a text without quotes, wrong indentation, or a bracket that is never closed.",
    fix: "Correct the line that the message names. Put texts in quotes or after `|`.",
  },
  "yaml/lost-hashtag": {
    severity: "warning",
    rule: "YAML does not read a hashtag in a text as a comment.",
    cause: "A ` #` in a text without quotes begins a comment, so the hashtag is not published.",
    fix: "Put the text in quotes, or write it after `|`.",
  },
  "yaml/unsupported": {
    rule: "A YAML file contains one document, no tags, no directives and no unusual merge keys (`<<`), and its aliases do not expand to more than a million values.",
    cause:
      "A line `---` begins a second document. Or the file uses a tag, a directive, or a merge key of YAML 1.1. Or aliases of other aliases make it grow very fast.",
    fix: "Write out the value. Make two files of two documents.",
  },
} as const;
