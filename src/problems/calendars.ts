/** Problems of plancast.yaml and of calendars as files, in each of their formats. */
export const CALENDAR_CODES = {
  "project/not-found": {
    rule: "A project has a plancast.yaml, here or in a folder above.",
    cause: "The command was run outside of a project's folder.",
    fix: "Change into the folder with `plancast.yaml`, name the file with `--config`, or run `plancast init` to start a project.",
  },
  "project/unreadable": {
    rule: "`plancast.yaml` can be read and is UTF-8.",
    cause: "The file may not be read, is a folder, or was saved in an encoding other than UTF-8.",
    fix: "Check its permissions, and save it as UTF-8.",
  },
  "project/invalid": {
    rule: "`plancast.yaml` is YAML of the documented shape.",
    cause:
      "A value is of the wrong kind, or not one of those that are allowed; often a typing error, or a list instead of one value.",
    fix: "Correct the value at the line and column that are named. [The project file](project-file.md) shows every key; an editor that knows JSON Schema checks them as you type.",
  },
  "project/unknown-key": {
    rule: "`plancast.yaml` has no keys that plancast does not know.",
    cause:
      "A key is mistyped, stands a level too high or too low, or is a secret, which does not belong in this file.",
    fix: "Take the name that is suggested, or look the key up under [the project file](project-file.md).",
  },
  "project/not-extended": {
    rule: "columns --write adds to `plancast.yaml` without changing what it says.",
    cause:
      "`plancast.yaml` is written in a way (anchors, one-line mappings) that cannot be added to without changing the rest, or is not UTF-8.",
    fix: "Add by hand the entry that is shown.",
  },
  "project/exists": {
    rule: "init overwrites nothing.",
    cause: "`plancast init` would write a file that is there already.",
    fix: "Run it in an empty folder, or move the file away.",
  },
  "calendar/none-found": {
    severity: "warning",
    rule: "The patterns under `calendars:` match at least one file.",
    cause: "The patterns under `calendars:` point elsewhere, or the files have another ending.",
    fix: "Put a calendar where a pattern looks, or correct `calendars:`.",
  },
  "calendar/not-in-project": {
    rule: "A calendar named on the command line is one of the project's.",
    cause: "The file that is named lies outside the project, or no pattern under `calendars:` matches it.",
    fix: "Name a file that a pattern matches, or add a pattern for it.",
  },
  "calendar/outside-project": {
    rule: "A calendar is in the project.",
    cause: "A symbolic link leads out of the project.",
    fix: "Put the calendar itself into the project.",
  },
  "calendar/linked": {
    rule: "A calendar and the folders above it are no symbolic links.",
    cause:
      "A pattern of `calendars:` leads to a symbolic link. plancast does not skip it, because that would cancel the posts of its calendars.",
    fix: "Replace the link with the file or folder itself, or narrow the pattern.",
  },
  "calendar/unknown-format": {
    rule: "A calendar's name ends in a format that plancast reads.",
    cause: "A pattern matches a file that is no calendar, or one in an older format such as `.xls`.",
    fix: "Save it as XLSX, ODS, CSV or YAML; or narrow the pattern.",
  },
  "calendar/unreadable": {
    rule: "A calendar can be opened and read.",
    cause: "The file may not be read, or is no ordinary file.",
    fix: "Check its permissions.",
  },
  "calendar/too-large": {
    rule: "A calendar is small enough to be one.",
    cause:
      "The file is far larger than a calendar of posts is: often an export of something else, or a workbook with pictures in it.",
    fix: "Split the calendar by month, and keep pictures beside it.",
  },
  "calendar/encoding": {
    rule: "A text calendar's encoding is known.",
    cause: "The file is saved in a code page, or is not text at all.",
    fix: 'Save it as "CSV UTF-8", or name its encoding with `encoding:`.',
  },
  "calendar/guessed-encoding": {
    severity: "warning",
    rule: "Text is Unicode, or its encoding is named.",
    cause: "A CSV was saved by an older spreadsheet program, in Windows-1252 as far as one can tell.",
    fix: "Look whether accents are right; then say `encoding: windows-1252`, or save it as UTF-8.",
  },
  "calendar/empty": {
    severity: "warning",
    rule: "A calendar holds at least one row.",
    cause: "A header without rows, or an empty list.",
    fix: "Add a row; or remove the file.",
  },
  "calendar/unknown-key": {
    rule: "A YAML calendar has no keys that plancast does not know.",
    cause: "A key of a post is mistyped, or is one that posts do not have.",
    fix: "Take the name that is suggested.",
  },
  "calendar/shape": {
    rule: "A YAML calendar is a list of posts, or a mapping with `posts`.",
    cause: "The file is YAML, but neither a list of posts nor a mapping with `posts`.",
    fix: "Begin each post with `- `, or put them under `posts:`.",
  },
  "csv/no-header": {
    rule: "The first row names the columns; where the project says that none does, it is a post.",
    cause:
      "No row names a column that plancast knows; the table may have no header, or one in your own words.",
    fix: "Say what the columns are with `columns:`, or `header_row: none` and positions. `plancast columns FILE` shows what was understood.",
  },
  "csv/duplicate-header": {
    rule: "No two columns stand for one field.",
    cause: "Two columns mean the same field, such as Text and Caption.",
    fix: "Name one of them `ignore` under `columns:`, or rename it.",
  },
  "csv/missing-header": {
    rule: "The columns that every post needs are there.",
    cause:
      "There is no column for the text, the time or the platforms, or it has a name that plancast does not know.",
    fix: "Map your own header: `columns: { Slogan: content }`; or set `defaults:` for what no row says.",
  },
  "csv/row-above-header": {
    rule: "No posts stand above the header.",
    cause: "A row that looks like a post stands above the one that was taken for the header.",
    fix: "Say `header_row:` with the number of the header's row.",
  },
  "csv/unknown-column": {
    severity: "warning",
    rule: "Every column stands for a field.",
    cause: "The table has columns of your own, for notes or approval.",
    fix: "Nothing, if they are yours alone. Else map them with `columns:`; `ignore` ends the warning.",
  },
  "csv/not-carried": {
    severity: "warning",
    rule: "The service has a place for what a column holds.",
    cause: "The column holds what the service's interface has no field for, such as a first comment.",
    fix: "Put into the text what is to be published.",
  },
  "csv/ragged-row": {
    rule: "A row has no more cells than the header has columns.",
    cause: "A text that holds a comma is not quoted, so it became two cells.",
    fix: "Put quotes around the text, or edit the file in a spreadsheet program, which does it by itself.",
  },
  "csv/bare-quote": {
    rule: "A quote within a cell is doubled, and the cell is quoted.",
    cause: "A quote stands inside a cell, and is not doubled.",
    fix: 'Write `""` for each quote within the text, and one quote before and after it.',
  },
  "csv/unclosed-quote": {
    rule: "A quoted cell ends with a quote.",
    cause: "A quote opens a cell and none closes it.",
    fix: "Close the cell with a quote.",
  },
  "csv/row-too-long": {
    rule: "A row is of a sensible size.",
    cause: "A quote too many or too few made many rows one.",
    fix: "Look for the quote in the row where it begins.",
  },
  "csv/syntax": {
    rule: "The file is CSV.",
    cause: "The file is no table of separated values.",
    fix: "Save it as CSV again.",
  },
  "workbook/kind": {
    rule: "A workbook is an .xlsx or .ods file by its content, too.",
    cause: "A file was renamed, or is of an older format, or is a web page with the name of a workbook.",
    fix: "Open it in a spreadsheet program and save it as XLSX or ODS.",
  },
  "workbook/password": {
    rule: "A workbook opens without a password.",
    cause: "The workbook is encrypted.",
    fix: "Save it without a password.",
  },
  "workbook/macros": {
    rule: "A workbook holds no programs.",
    cause: "The workbook holds macros.",
    fix: "Save it as a workbook without macros (.xlsx).",
  },
  "workbook/damaged": {
    rule: "A workbook is whole.",
    cause:
      "A part of the workbook is missing or cut short, often by an upload or a sync that did not finish.",
    fix: "Open it in a spreadsheet program and save it again.",
  },
  "sheet/not-found": {
    rule: "The sheet that the project names is in the workbook.",
    cause: "The sheet was renamed.",
    fix: "Name it as it is called now, with `sheet:`.",
  },
  "sheet/unclear": {
    rule: "It is clear which sheet of a workbook is the calendar.",
    cause: "Several sheets look like calendars.",
    fix: "Say which with `sheet:`, or save each as a workbook of its own.",
  },
  "sheet/error-value": {
    rule: "A cell holds no error such as #REF!.",
    cause: "A formula of the sheet failed.",
    fix: "Mend the formula, or type the value.",
  },
  "sheet/no-result": {
    rule: "A formula's result is in the workbook.",
    cause: "The workbook was written by a program that stores formulas without results.",
    fix: "Open it in a spreadsheet program and save it, or type the value.",
  },
  "sheet/merged-cells": {
    rule: "The project says what merged cells mean.",
    cause: "A blank cell is merged with one above, and may or may not be meant to have its value.",
    fix: "Say `merged_cells: carry`, or unmerge the cells and fill each in.",
  },
  "sheet/hidden-rows": {
    severity: "warning",
    rule: "The project says what is done with hidden rows.",
    cause: "Rows are hidden, by hand or by a filter that was left on.",
    fix: "Say `hidden_rows: skip` or `hidden_rows: read`, or show the rows.",
  },
  "sheet/lost-link": {
    severity: "warning",
    rule: "Where a link leads is part of the text.",
    cause: "A cell shows words and links to an address, and only the words are text.",
    fix: "Write the address into the text.",
  },
  "yaml/syntax": {
    rule: "The file is YAML 1.2.",
    cause:
      "The file is not YAML: often a tab, a colon in a text without quotes, or an indent that does not fit.",
    fix: "Correct the line that is named; put texts into quotes or after `|`.",
  },
  "yaml/duplicate-key": {
    rule: "A mapping names each key once.",
    cause: "A key stands twice in one post.",
    fix: "Keep one.",
  },
  "yaml/several-documents": {
    rule: "A file holds one document.",
    cause: "A line `---` begins a second document.",
    fix: "Remove the line, or make two files.",
  },
  "yaml/too-many-aliases": {
    rule: "Aliases do not multiply without end.",
    cause: "Aliases of aliases would multiply without end.",
    fix: "Write the values out.",
  },
  "yaml/too-deep": {
    rule: "A file nests no deeper than calendars do.",
    cause: "Brackets or indents nest deeper than any calendar does.",
    fix: "Look for a bracket that is never closed.",
  },
  "yaml/lost-hashtag": {
    severity: "warning",
    rule: "A hashtag in a text is not taken for a comment.",
    cause: "A ` #` in a text without quotes begins a comment, so the hashtag is not published.",
    fix: "Put the text into quotes, or write it after `|`.",
  },
  "yaml/unsupported": {
    rule: "No YAML 1.1 directive, no tags.",
    cause: "A tag, a directive, or a merge key of YAML 1.1.",
    fix: "Write the value plainly.",
  },
} as const;
