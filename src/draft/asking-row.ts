/** What one row asks for, be it there or not. Pure. */
import { createHash } from "node:crypto";
import { rowName } from "../calendar/place-name.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { RowVariant } from "../calendar/row.ts";
import type { CalendarFile } from "../edit/edit-calendar.ts";
import type { Aliases } from "../validate/platforms.ts";
import { RowView, type Value } from "../validate/row-view.ts";
import type { DraftTask, DraftSelection } from "./wanted.ts";

interface RowTasks {
  readonly view: RowView;
  readonly name: string;
  readonly asked: readonly DraftTask[];
  readonly problems: readonly Problem[];
}

/**
 * Undefined for a row without a prompt.
 * @param seen how often each request came before; counted on
 */
export function tasksOfRow(
  file: CalendarFile,
  index: number,
  { aliases, read }: Pick<DraftSelection, "aliases" | "read">,
  seen: Map<string, number>,
): RowTasks | undefined {
  const { calendar } = file;
  const row = calendar.rows[index];
  if (row === undefined) return undefined;
  const view = new RowView(row, calendar);
  const [prompt, imagePrompt] = [view.value("prompt"), view.value("image_prompt")];
  if (prompt === undefined && imagePrompt === undefined) return undefined;
  const id = view.own("id")?.text.normalize("NFC");
  const name = id ?? rowName(row, row.at());
  const request = (words: readonly (string | undefined)[]): string => {
    const said = JSON.stringify([calendar.file, id ?? "", ...words.map((word) => word ?? "")]);
    // Rows that say the same are told apart by their order.
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    return createHash("sha256").update(`${said}${count}`).digest("hex").slice(0, 32);
  };
  const platforms = read(view);
  const asking: TaskContext = {
    base: { file, row: index, name, platforms: platforms.names },
    view,
    aliases,
    request,
  };
  const isSound = platforms.problems.length === 0;
  const texts = prompt === undefined || !isSound ? [] : textTasks(asking, textOf(prompt), calendar);
  const picture = imagePrompt === undefined ? [] : pictureTask(asking, textOf(imagePrompt));
  const asked = [...texts, ...picture.filter((each) => "request" in each)];
  const wrong = picture.filter((each) => "severity" in each);
  return { view, name, asked, problems: [...(prompt === undefined ? [] : platforms.problems), ...wrong] };
}

interface TaskContext {
  readonly base: Pick<DraftTask, "file" | "row" | "name" | "platforms">;
  readonly view: RowView;
  readonly aliases: Aliases;
  readonly request: (words: readonly (string | undefined)[]) => string;
}

function textTasks(
  { base, view, aliases, request }: TaskContext,
  prompt: string,
  { defaults }: CalendarFile["calendar"],
): DraftTask[] {
  const { cells, variants } = view.row;
  const manner = view.value("tone")?.text;
  return base.platforms.map((platform) => {
    const own = variants.find((each) => isVariantFor(each, platform, aliases))?.cells.content;
    const current = cellText(own ?? cells.content ?? defaults?.cells.content);
    const made = request(["text", platform, prompt, manner]);
    return { ...base, kind: "text", prompt, manner, platform, request: made, current, isAgain: false };
  });
}

/** The picture; or what is wrong with how it is asked for. */
function pictureTask(
  { base, view, aliases, request }: TaskContext,
  prompt: string,
): readonly (DraftTask | Problem)[] {
  const size = view.value("size");
  const own = cellText(view.value("media")?.items);
  const current = own ?? variantMedia(view.row.variants, base.platforms, aliases);
  const wrong = sizeProblem(size);
  if (wrong !== undefined && current === undefined) return [wrong];
  const manner = size?.text;
  const made = request(["image", prompt, manner]);
  return [
    { ...base, kind: "image", prompt, manner, platform: undefined, request: made, current, isAgain: false },
  ];
}

/** Source: the interface's form of a size. */
const SIZE = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;

function sizeProblem(size: Value | undefined): Problem | undefined {
  if (size === undefined || SIZE.test(size.text)) return undefined;
  const message = `"${size.text}" is no size of a picture. Write width and height in pixels, such as 1024x1024.`;
  return problem("draft/size", message, size.at());
}

function isVariantFor(variant: RowVariant, platform: string, aliases: Aliases): boolean {
  const typed = variant.platform.trim().toLowerCase();
  return (aliases.get(typed) ?? typed) === platform;
}

/** A row whose platforms all have media of their own needs none besides. */
function variantMedia(
  variants: readonly RowVariant[],
  platforms: readonly string[],
  aliases: Aliases,
): string | undefined {
  const own = platforms.map(
    (name) => variants.find((each) => isVariantFor(each, name, aliases))?.cells.media,
  );
  return own.length > 0 && own.every((media) => media !== undefined)
    ? own.map(cellText).join(", ")
    : undefined;
}

function textOf({ items }: Value): string {
  return items.join("\n").trim();
}

function cellText(cell: string | readonly string[] | undefined): string | undefined {
  return typeof cell === "string" || cell === undefined ? cell : cell.join(", ");
}
