import { detachText } from "./own-text.ts";
import type { XmlElement } from "./visit-part.ts";

/** What stands in a cell of an ODS file but is no part of its text: comments, footnotes, how a word is pronounced, drawings. */
const IGNORED_ELEMENTS = new Set(["office:annotation", "text:note", "text:ruby-text", "draw:frame"]);

/** Blanks that one `text:s` may stand for. */
const MAX_BLANKS = 10_000;

/** Puts together the paragraphs of a cell (ODF 1.3 part 3, 6.1): each is a line. */
export class ParagraphText {
  #text = "";
  #paragraphs = 0;
  #asides = 0;
  #inParagraph = false;
  #link: string | undefined;

  open(element: XmlElement): void {
    const { name } = element;
    if (IGNORED_ELEMENTS.has(name)) this.#asides += 1;
    if (this.#asides > 0) return;
    if (name === "text:p") {
      if (this.#paragraphs > 0) this.#text += "\n";
      this.#paragraphs += 1;
      this.#inParagraph = true;
    } else if (name === "text:s") {
      this.#text += " ".repeat(Math.min(MAX_BLANKS, Math.max(1, Number(element.get("text:c") ?? "1") || 1)));
    } else if (name === "text:tab") this.#text += "\t";
    else if (name === "text:line-break") this.#text += "\n";
    else if (name === "text:a") this.#link ??= element.get("xlink:href");
  }

  /** White space within a paragraph counts as one blank; more are written as elements. */
  add(text: string): void {
    if (this.#inParagraph && this.#asides === 0) this.#text += text.replaceAll(/[ \t\r\n]+/g, " ");
  }

  close(name: string): void {
    if (IGNORED_ELEMENTS.has(name)) this.#asides -= 1;
    else if (name === "text:p" && this.#asides === 0) this.#inParagraph = false;
  }

  /** The text, and where its first link leads; what follows is another cell's. */
  take(): { readonly text: string; readonly link: string | undefined } {
    const taken = { text: detachText(this.#text), link: this.#link };
    this.#text = "";
    this.#paragraphs = 0;
    this.#link = undefined;
    return taken;
  }
}
