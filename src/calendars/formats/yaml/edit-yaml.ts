/** Adds or replaces values in the posts of a YAML calendar. Everything around them stays as it is. */

import { type Node, type YAMLMap, isMap, isNode, isScalar, isSeq, visit } from "yaml";
import type { Cell } from "../../../model/row.ts";
import { foldName } from "../../../model/text.ts";
import { isTimeField } from "../../../model/fields.ts";
import type { Calendar, CalendarSettings } from "../../../settings/calendar-settings.ts";
import { splitColumn, switchColumn, switchedStatus } from "../written-row.ts";
import { mapColumns } from "../../columns/columns.ts";
import type { EditFault, EditResult, IdentifyPlatform, RowEdit } from "../row-edit.ts";
import { type YamlChange, type KeyPath, YamlText } from "./yaml-text.ts";

const NO_PLACE =
  "plancast cannot add to this post, because it uses an alias or has comments inside a list that would be replaced. Write it out as keys and values, and move the comments.";

/** @param text of a calendar that was read without errors */
export function editYaml(
  text: string,
  { settings }: Pick<Calendar, "settings">,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): EditResult<string> {
  const yaml = new YamlText(text);
  const root = yaml.get([]);
  const path: KeyPath = isMap(root) ? [keyIn(root, "posts", foldName) ?? "posts"] : [];
  const list = yaml.get(path);
  const posts = isSeq(list) ? list.items.map((post) => (isNode(post) ? post : undefined)) : [];
  const editor = new PostEditor(yaml, settings.columns, identify, posts);
  const faults = edits.flatMap((edit): EditFault[] => {
    const shared = editor.sharedBy(edit);
    const message = shared ?? (editor.edit([...path, edit.row], edit) ? undefined : NO_PLACE);
    return message === undefined ? [] : [{ row: edit.row, message }];
  });
  return { contents: yaml.toString(), faults };
}

/**
 * Adds or replaces values in one post. Its keys are the keys of the document. Undefined if that is not possible.
 * @param text which may be empty
 */
export function editYamlPost(
  text: string,
  columns: CalendarSettings["columns"],
  edit: RowEdit,
  identify: IdentifyPlatform,
): string | undefined {
  const yaml = new YamlText(text);
  return new PostEditor(yaml, columns, identify).edit([], edit) ? yaml.toString() : undefined;
}

/** Keys to add, and their values. */
type Pairs = Map<string, Cell | boolean | ReadonlyMap<string, ReadonlyMap<string, Cell>>>;

class PostEditor {
  readonly #yaml: YamlText;
  readonly #identify: IdentifyPlatform;
  /** The field that a key means, or the column of a yes-or-no key. */
  readonly #meaningOf: (key: string) => string;
  readonly #posts: readonly (Node | undefined)[];
  /** The posts that use an anchor, by its name. */
  readonly #users = new Map<string, Set<number>>();

  /** @param posts all posts of the file */
  constructor(
    yaml: YamlText,
    columns: CalendarSettings["columns"],
    identify: IdentifyPlatform,
    posts: readonly (Node | undefined)[] = [],
  ) {
    this.#yaml = yaml;
    this.#identify = identify;
    this.#meaningOf = meaningsOf(columns);
    this.#posts = posts;
    for (const [index, post] of posts.entries())
      if (post !== undefined)
        visit(post, {
          Alias: (_key, { source }) =>
            void this.#users.set(source, (this.#users.get(source) ?? new Set()).add(index)),
        });
  }

  /** Why these cells of a post cannot change: other posts share their values. */
  sharedBy({ row, cells }: RowEdit): string | undefined {
    const post = this.#posts[row];
    if (!isMap(post)) return undefined;
    const written = new Set<string>(
      [...cells.keys()].flatMap((name) => {
        const { field, platform } = splitColumn(name);
        return platform === undefined ? [name, field === "alt" ? "media" : field] : ["variants"];
      }),
    );
    const values = post.items.flatMap(({ key, value }) =>
      isScalar(key) && written.has(this.#meaningOf(String(key.value))) && isNode(value) ? [value] : [],
    );
    const anchors = [post.anchor, ...values.flatMap(anchorsIn)];
    const anchor = anchors.find((name) =>
      [...(this.#users.get(name ?? "") ?? [])].some((user) => user !== row),
    );
    return anchor === undefined
      ? undefined
      : `Other posts reuse values of this post (*${anchor}) and would change with it. Write out those values in the other posts, and remove &${anchor} here.`;
  }

  /** Whether all cells have a place. Otherwise, nothing changes. */
  edit(path: KeyPath, { cells }: RowEdit): boolean {
    const found = this.#yaml.get(path);
    if (!isMap(found) && (found !== undefined || path.length > 0)) return false;
    const post = isMap(found) ? found : undefined;
    const changes: (YamlChange | undefined)[] = [];
    const added: Pairs = new Map();
    const variants = keyIn(post, "variants", foldName);
    const mediaKey = keyIn(post, "media", this.#meaningOf);
    const media = mediaKey === undefined ? undefined : this.#yaml.get([...path, mediaKey]);
    const inVariants = new Map<string, Map<string, Cell>>();
    for (const [name, value] of cells) {
      const { field, platform } = splitColumn(name);
      if (switchedStatus(name) !== undefined) changes.push(...this.#switch(path, post, name, value, added));
      else if (name === "alt" && isSeq(media) && media.items.some(isMap))
        changes.push(
          ...media.items.flatMap((item, index) =>
            this.#describe([...path, mediaKey ?? "", index], item, value),
          ),
        );
      else if (platform === undefined) changes.push(...this.#put(path, post, field, value, added));
      else {
        if (variants === undefined) added.set("variants", inVariants);
        inVariants.set(platform, (inVariants.get(platform) ?? new Map<string, Cell>()).set(field, value));
      }
    }
    if (variants !== undefined) changes.push(...this.#inVariants([...path, variants], inVariants));
    if (added.size > 0) changes.push(this.#yaml.add(path, Object.fromEntries(added)));
    const possible = changes.filter((change) => change !== undefined);
    if (possible.length < changes.length) return false;
    for (const change of possible) change();
    return true;
  }

  #put(
    path: KeyPath,
    map: YAMLMap | undefined,
    field: string,
    value: Cell,
    added: Pairs,
  ): (YamlChange | undefined)[] {
    const key = keyIn(map, field, this.#meaningOf);
    if (key !== undefined) return [this.#yaml.set([...path, key], value, isTimeField(field))];
    added.set(field, value);
    return [];
  }

  /** With the key of the other posts, if this one has none. To other programs, "no" in quotes counts as true. */
  #switch(
    path: KeyPath,
    post: YAMLMap | undefined,
    name: string,
    word: Cell,
    added: Pairs,
  ): (YamlChange | undefined)[] {
    const own = keyIn(post, name, this.#meaningOf);
    if (own !== undefined) return [this.#yaml.set([...path, own], word, true)];
    const [key] = this.#posts.flatMap(
      (each) => keyIn(isMap(each) ? each : undefined, name, this.#meaningOf) ?? [],
    );
    if (key === undefined) return [];
    const isYes = /^(?:yes|true)$/i.test(String(word));
    added.set(key, isYes || /^(?:no|false)$/i.test(String(word)) ? isYes : word);
    return [];
  }

  #inVariants(
    path: KeyPath,
    cells: ReadonlyMap<string, ReadonlyMap<string, Cell>>,
  ): (YamlChange | undefined)[] {
    const all = this.#yaml.get(path);
    const fresh = new Map<string, ReadonlyMap<string, Cell>>();
    const changes = [...cells].flatMap(([platform, fields]) => {
      const own = keyIn(isMap(all) ? all : undefined, this.#identify(platform), this.#identify);
      const map = own === undefined ? undefined : this.#yaml.get([...path, own]);
      if (own === undefined) fresh.set(platform, fields);
      if (own === undefined) return [];
      const added: Pairs = new Map();
      const set = [...fields].flatMap(([field, value]) =>
        this.#put([...path, own], isMap(map) ? map : undefined, field, value, added),
      );
      return added.size === 0 ? set : [...set, this.#yaml.add([...path, own], Object.fromEntries(added))];
    });
    return fresh.size === 0 ? changes : [...changes, this.#yaml.add(path, Object.fromEntries(fresh))];
  }

  /** Writes a text beside its file, as in `{ file: a.png, alt: A bed }`. A blank text leaves the item. */
  #describe(path: KeyPath, node: unknown, texts: Cell): (YamlChange | undefined)[] {
    const alt = typeof texts === "string" ? texts : texts[Number(path.at(-1))];
    if (alt === undefined || alt === "") return [];
    if (isScalar(node)) return [this.#yaml.setItem(node, { file: node.value, alt })];
    if (!isMap(node) || node.get("alt") === alt) return [];
    return [node.has("alt") ? this.#yaml.set([...path, "alt"], alt) : this.#yaml.add(path, { alt })];
  }
}

function meaningsOf(columns: CalendarSettings["columns"]): (key: string) => string {
  return (key) => {
    const name = foldName(key);
    const [meaning] = mapColumns([key], columns).meanings;
    const as = meaning?.kind === "used" ? meaning.as : undefined;
    if (as?.kind === "switch" && as.field === "status") return switchColumn(as.value);
    return as?.kind === "field" ? as.field : name;
  };
}

/** The key of a mapping as written, by its folded form. */
function keyIn(map: YAMLMap | undefined, wanted: string, fold: (key: string) => string): string | undefined {
  for (const { key } of map?.items ?? []) {
    if (isScalar(key) && typeof key.value === "string" && fold(key.value) === wanted) return key.value;
  }
  return undefined;
}

function anchorsIn(value: Node): string[] {
  const names: string[] = [];
  visit(value, {
    Value: (_key, { anchor }) => void (anchor === undefined ? undefined : names.push(anchor)),
  });
  return names;
}
