import type { ShownAs } from "./serial-date.ts";
import type { XmlElement, XmlVisitor } from "./visit-part.ts";

interface Style {
  /** The name of its number format. */
  readonly format: string | undefined;
  readonly parent: string | undefined;
}

/** Parts of a date format that show a time of day; all others show a day (ODF 1.3 part 3, 16.29). */
const CLOCK = new Set(["number:hours", "number:minutes", "number:seconds", "number:am-pm"]);
const CALENDAR = new Set([
  "number:year",
  "number:month",
  "number:day",
  "number:day-of-week",
  "number:week-of-year",
  "number:quarter",
  "number:era",
]);

/** The styles of an ODS file: how cells show dates and times, and which sheets are hidden. */
export class OdsStyles implements XmlVisitor {
  readonly #styles = new Map<string, Style>();
  readonly #formats = new Map<string, ShownAs>();
  readonly #hidingTables = new Set<string>();
  #style = "";
  #format: { readonly name: string; date: boolean; time: boolean; duration: boolean } | undefined;

  /** How a cell style shows dates and times; undefined where it does not say. */
  shownAs(style: string | undefined): ShownAs | undefined {
    let name = style;
    // A style may name a parent, and a broken file itself.
    for (let step = 0; step < 10 && name !== undefined; step += 1) {
      const found = this.#styles.get(name);
      const shown = this.#formats.get(found?.format ?? "");
      if (shown !== undefined) return shown;
      name = found?.parent;
    }
    return undefined;
  }

  hidesTable(style: string | undefined): boolean {
    return this.#hidingTables.has(style ?? "");
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (name === "style:style") this.#beginStyle(element);
    else if (name === "style:table-properties" && element.get("table:display") === "false") {
      this.#hidingTables.add(this.#style);
    } else if (name === "number:date-style" || name === "number:time-style") {
      const duration = element.get("number:truncate-on-overflow") === "false";
      this.#format = { name: element.get("style:name") ?? "", date: false, time: false, duration };
    } else if (this.#format !== undefined) {
      this.#format.time ||= CLOCK.has(name);
      this.#format.date ||= CALENDAR.has(name);
    }
  }

  close(name: string): void {
    if (name !== "number:date-style" && name !== "number:time-style") return;
    if (this.#format !== undefined) this.#formats.set(this.#format.name, shownBy(this.#format));
    this.#format = undefined;
  }

  #beginStyle(element: XmlElement): void {
    this.#style = element.get("style:name") ?? "";
    this.#styles.set(this.#style, {
      format: element.get("style:data-style-name"),
      parent: element.get("style:parent-style-name"),
    });
  }
}

function shownBy(format: {
  readonly date: boolean;
  readonly time: boolean;
  readonly duration: boolean;
}): ShownAs {
  if (format.date) return format.time ? "datetime" : "date";
  return format.duration ? "duration" : "time";
}
