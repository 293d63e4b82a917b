import { detachText } from "./own-text.ts";
import { damaged, tooLarge } from "./workbook-fault.ts";
import type { XmlElement, XmlVisitor } from "./visit-part.ts";

/** Different texts in one workbook. */
const MAX_STRINGS = 4_000_000;

/** Characters that XML cannot hold are written as `_x000D_` (ECMA-376 part 1, 22.9.2.19, ST_Xstring). */
export function unescapeText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Puts together a text and its runs of different looks. How it is pronounced, which East Asian Excels add, is no part of it. */
export class TextRuns {
  #text = "";
  #inText = false;
  #inPhonetic = false;

  open(name: string): void {
    if (name === "t") this.#inText = true;
    if (name === "rPh") this.#inPhonetic = true;
  }

  add(text: string): void {
    if (this.#inText && !this.#inPhonetic) this.#text += text;
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    if (name === "rPh") this.#inPhonetic = false;
  }

  /** The text so far; what follows is another. */
  take(): string {
    const text = unescapeText(detachText(this.#text));
    this.#text = "";
    return text;
  }
}

/** The texts that cells refer to by number. */
export class SharedStrings implements XmlVisitor {
  readonly #strings: string[] = [];
  readonly #runs = new TextRuns();

  /** The text of a number. Throws a WorkbookFault when there is none. */
  at(index: number): string {
    const text = this.#strings[index];
    if (text === undefined) throw damaged(`a cell refers to text ${index}, which is not there`);
    return text;
  }

  open({ name }: XmlElement): void {
    this.#runs.open(name);
  }

  text(text: string): void {
    this.#runs.add(text);
  }

  close(name: string): void {
    this.#runs.close(name);
    if (name !== "si") return;
    this.#strings.push(this.#runs.take());
    if (this.#strings.length > MAX_STRINGS) throw tooLarge(`it holds more than ${MAX_STRINGS} texts`);
  }
}
