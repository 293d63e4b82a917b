/** Why plancast stops at a column that it does not use, and what to set in `plancast.yaml`. */

import { yamlKey } from "../../model/columns.ts";
import type { Question } from "../../model/problem.ts";
import { rowsText } from "../../model/text.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { CellKind } from "../columns/cell-kinds.ts";
import { type Finding, type SeenCells, MAX_NAMED, MAX_VALUES } from "./left-out-cells.ts";

/** A column, as messages and `plancast.yaml` name it. */
export interface NamedColumn {
  /** Its name, or its letter, as a key of `columns:`. */
  readonly name: string;
  /** Like `name`, in a message. */
  readonly shown: string;
  /** The network in its name. */
  readonly network?: string | undefined;
}

interface Stop {
  /** Default: `csv/unused-column`. */
  readonly code?: Code;
  readonly message: string;
  readonly question?: Question;
}

/** What a message says about the rest of the table. */
export interface StopTable {
  /** The column of the date, if there is one. */
  readonly date: NamedColumn | undefined;
  /** The column of the text, if there is one. */
  readonly content: NamedColumn | undefined;
  /** The columns that make up the text, in their order. */
  readonly textParts: readonly NamedColumn[];
}

/** The findings that have a message for their column. */
type StopFinding = Exclude<Finding, "weekday" | "hashtags" | "other">;

export function stopAt(finding: StopFinding, column: NamedColumn, seen: SeenCells, table: StopTable): Stop {
  const { name, shown } = column;
  const key = yamlKey(name);
  const { filled, values, unusual, unready } = seen;
  switch (finding) {
    // Without this check, plancast would publish rows that are not ready.
    case "status":
      return {
        message:
          `${shown} looks like the status of the posts (${[...unready].map((word) => JSON.stringify(word)).join(", ")}), but plancast does not use this column, so it would plan all rows. ` +
          setOrIgnore(key, "status"),
        question: { topic: "vague", field: "status", column: name },
      };
    case "field":
      return fieldStop(column, seen.fits);
    // Without this check, a default time would apply although a column such as `Time slot` has others.
    case "time":
      return {
        message: `${shown} may hold the time of the posts, but plancast does not use this column, and no other has the time. ${setOrIgnore(key, "time")}`,
        question: { topic: "vague", field: "time", column: name },
      };
    case "networks":
      return {
        message: `${shown} may say for which networks a row is, in words that plancast does not read, and no other column does. ${setOrIgnore(key, "platforms")}`,
        question: { topic: "vague", field: "platforms", column: name },
      };
    case "account":
      return column.network?.includes("/") === true
        ? networkStop(column, seen)
        : accountsStop(column, values);
    // plancast publishes only ordinary posts.
    case "format":
      return formatsStop(column, values, unusual);
    case "translation":
    case "version":
      return {
        message:
          `${shown} may be ${finding === "version" ? "another text of the post" : "the text of the post in one language"} (${rowsText(filled)}), but plancast publishes only ${table.content?.shown ?? ""}. ` +
          `If that is right, set \`columns: { ${key}: ignore }\` in plancast.yaml. To publish this text instead, set \`columns: { ${yamlKey(table.content?.name ?? "")}: ignore, ${key}: content }\`.`,
        question: { topic: "duplicate", field: "content", columns: [table.content?.name ?? "", name] },
      };
    case "text-part":
      return textPartStop(column, seen, table);
    case "pictures":
      return picturesStop(column, seen);
    case "network":
      return networkStop(column, seen);
    case "state":
      return {
        message:
          `${shown} may say which rows are ready: ${counted([...values.values()])}. plancast does not use this column, so it would plan all rows. ` +
          `If it does, set \`columns: { ${key}: status }\` in plancast.yaml. If not, \`${key}: ignore\` there.`,
        question: { topic: "vague", field: "status", column: name },
      };
    case "approver":
      return approverStop(column, seen);
    case "dates":
      return datesStop(column, table.date);
    case "published-links":
      return {
        code: "csv/unclear-question",
        message:
          `${shown} holds web addresses (${rowsText(filled)}). If a row with an address is already published, set \`columns: { ${key}: status:skip }\` in plancast.yaml. ` +
          `If not, set \`${key}: content+\` to add it to the text, or \`${key}: ignore\`.`,
        question: { topic: "yes-or-no", column: name, shows: "addresses" },
      };
    case "new-dates":
    case "further-dates":
      return otherDatesStop(finding, column, filled, table.date?.shown ?? "another column");
    case "exclusions":
      return {
        message: `${shown} names networks (${rowsText(filled)}), but plancast does not leave out the networks of a row. Take them out of the column with the networks. Then, or if they mean something else, set \`columns: { ${key}: ignore }\` in plancast.yaml.`,
      };
    case "question":
      return {
        code: "csv/unclear-question",
        message:
          `${shown} says yes or no, but not what a yes means. Under \`columns:\` in plancast.yaml, set \`${key}: status:ready\` if a yes means that the row may be published, ` +
          `\`${key}: status:skip\` if it is already published, \`${key}: platforms:linkedin\` if it chooses a network, or \`${key}: ignore\`.`,
        question: { topic: "yes-or-no", column: name },
      };
  }
}

function setOrIgnore(key: string, field: string): string {
  return `Set \`columns: { ${key}: ${field} }\` in plancast.yaml, or \`${key}: ignore\` there.`;
}

function textPartStop(
  { name, shown }: NamedColumn,
  { filled }: SeenCells,
  { content, textParts }: StopTable,
): Stop {
  const key = yamlKey(name);
  const lines = textParts.map((each, index) => `${yamlKey(each.name)}: content${index === 0 ? "" : "+"}`);
  return {
    message:
      `${shown} may be a part of the text (${rowsText(filled)}), but plancast publishes only ${content?.shown ?? "another column"}. ` +
      `To join ${textParts.map((each) => each.shown).join(", ")} into one text, set \`columns: { ${lines.join(", ")} }\` in plancast.yaml. ` +
      `If it is not a part of the text, set \`columns: { ${key}: ignore }\`.`,
    question: { topic: "join", column: name, parts: textParts.map((each) => each.name) },
  };
}

/** Without this check, plancast would publish posts without their pictures. */
function picturesStop({ name, shown }: NamedColumn, { addresses, filePages }: SeenCells): Stop {
  const key = yamlKey(name);
  if (filePages === 0)
    return {
      message:
        `${shown} holds web addresses (${rowsText(addresses)}), which may be the pictures or videos of the posts, but plancast does not use this column. ` +
        setOrIgnore(key, "media"),
      question: { topic: "vague", field: "media", column: name },
    };
  return {
    message:
      `${shown} holds addresses of pages, such as in Google Drive or Canva (${rowsText(filePages)}), and plancast cannot take pictures or videos from these pages. ` +
      `Download the files, put them next to the calendar, and name them in a column \`media\`. Then, or if the posts need none of these files, set \`columns: { ${key}: ignore }\` in plancast.yaml.`,
  };
}

const CELLS_OF: Readonly<Record<CellKind, string>> = {
  platforms: "names networks or other channels",
  media: "names a picture or a video",
  time: "is a time of day",
  timezone: "is a time zone",
  half: "says am or pm",
  repeat: "is a rule such as weekly",
};

function fieldStop({ name, shown }: NamedColumn, [field = "platforms"]: SeenCells["fits"]): Stop {
  const found = `Each cell of ${shown} ${CELLS_OF[field]}, but plancast does not use this column.`;
  return field === "half"
    ? {
        message: `${found} ${setOrIgnore(yamlKey(name), "time+")}`,
        question: { topic: "vague", field: "time+", column: name },
      }
    : {
        message: `${found} ${setOrIgnore(yamlKey(name), field)}`,
        question: { topic: "vague", field, column: name },
      };
}

function accountsStop({ name, shown }: NamedColumn, values: SeenCells["values"]): Stop {
  const all = [...values.values()];
  const left = all.length === MAX_VALUES ? "many" : all.length - MAX_NAMED;
  const more = all.length > MAX_NAMED ? ` and ${left} more` : "";
  const [key, first] = [yamlKey(name), JSON.stringify(all[0]?.text ?? "")];
  return {
    code: "csv/several-accounts",
    message:
      `${shown} holds several values, but plancast would publish all rows to the same account: ${counted(all.slice(0, MAX_NAMED))}${more}. ` +
      `To use the rows of one, set \`only: { ${key}: ${first} }\` in plancast.yaml. If each is an account, set \`columns: { ${key}: accounts }\` and \`platforms: { ${first}: linkedin }\`. ` +
      `If it does not matter, set \`columns: { ${key}: ignore }\`.`,
    question: { topic: "accounts", column: name, values: all.map(({ text }) => text) },
  };
}

function formatsStop(
  { name, shown }: NamedColumn,
  values: SeenCells["values"],
  unusual: SeenCells["values"],
): Stop {
  const key = yamlKey(name);
  const others = [...unusual.values()];
  const plain = [...values].flatMap(([folded, { text }]) => (unusual.has(folded) ? [] : [text]));
  const only = plain.slice(0, MAX_NAMED).map((text) => JSON.stringify(text));
  return {
    message:
      `${shown} says that some rows are not ordinary posts: ${counted(others.slice(0, MAX_NAMED))}. plancast publishes each row as an ordinary post. ` +
      `If that is right, set \`columns: { ${key}: ignore }\` in plancast.yaml. ` +
      (plain.length === 0
        ? "If not, give these rows the status skip."
        : `To leave these rows out, set \`only: { ${key}: [${only.join(", ")}] }\` there.`),
    question: { topic: "formats", column: name, plain, others: others.map(({ text }) => text) },
  };
}

/** Without this check, plancast would publish rows that nobody approved. */
function approverStop({ name, shown }: NamedColumn, { values, blank }: SeenCells): Stop {
  const key = yamlKey(name);
  const names = [...values.values()].map(({ text }) => text);
  const only = names.map((text) => JSON.stringify(text));
  return {
    code: "csv/unclear-question",
    message:
      `${shown} is blank in ${rowsText(blank)}, so perhaps nobody approved ${blank === 1 ? "this row" : "these rows"}. To plan only the other rows, set \`only: { ${key}: [${only.join(", ")}] }\` in plancast.yaml. ` +
      `To plan all rows, set \`columns: { ${key}: ignore }\`.`,
    question: { topic: "approver", column: name, names, blank },
  };
}

function networkStop({ name, shown, network = "" }: NamedColumn, { isYesOrNo }: SeenCells): Stop {
  const key = yamlKey(name);
  const what = network.includes("/") ? "an account" : "a network";
  return {
    message:
      `${shown} is the name of ${what}, and plancast does not use this column. Under \`columns:\` in plancast.yaml, set \`${key}: platforms:${network}\` if it marks the posts for ${what.replace(/^an? /, "the ")}, ` +
      `\`${key}: content:${network}\` if it holds their text, or \`${key}: ignore\`.`,
    question: { topic: "network-column", column: name, network, isText: !isYesOrNo },
  };
}

function otherDatesStop(
  finding: "new-dates" | "further-dates",
  { name, shown }: NamedColumn,
  filled: number,
  date: string,
): Stop {
  const ignore = `set \`columns: { ${yamlKey(name)}: ignore }\` in plancast.yaml.`;
  const what = `${shown} holds dates (${rowsText(filled)}), but plancast`;
  return {
    message:
      finding === "new-dates"
        ? `${what} takes the dates of ${date}. If these dates replace them, write them there. Then, or if they mean something else, ${ignore}`
        : `${what} publishes each row once, on the date in ${date}. To publish a post again, copy its row and give the copy the other date. Then, or if these dates mean something else, ${ignore}`,
  };
}

function datesStop({ name, shown }: NamedColumn, date: NamedColumn | undefined): Stop {
  const key = yamlKey(name);
  if (date === undefined)
    return {
      message: `${shown} holds dates, and no other column has the date of the posts. ${setOrIgnore(key, "date")}`,
      question: { topic: "vague", field: "date", column: name },
    };
  return {
    code: "csv/unclear-question",
    message:
      `${shown} holds dates, but plancast does not know what they mean for the row. Under \`columns:\` in plancast.yaml, set \`${key}: status:skip\` if a row with a date is already published, ` +
      `\`${key}: status:ready\` if only rows with a date may be published, \`${yamlKey(date.name)}: ignore, ${key}: date\` if the posts are due then, or \`${key}: ignore\`.`,
    question: { topic: "yes-or-no", column: name, shows: "dates" },
  };
}

function counted(values: readonly { readonly text: string; readonly rows: number }[]): string {
  return values.map(({ text, rows }) => `"${text}" (${rowsText(rows)})`).join(", ");
}
