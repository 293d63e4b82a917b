/** The posts in the text of a YAML calendar, and which of them share values with others. */

import { type Node, type YAMLMap, isAlias, isMap, isNode, isScalar, isSeq, visit } from "yaml";
import { foldName } from "../../model/text.ts";
import { type YamlParts, type YamlPath, partsOf } from "./yaml-insert.ts";

export function pathOfPosts({ get }: YamlParts): YamlPath {
  const root = get([]);
  return isMap(root) ? [keyIn(root, "posts", foldName) ?? "posts"] : [];
}

/** The key of a mapping as written, by its folded form. */
export function keyIn(
  map: YAMLMap | undefined,
  wanted: string,
  fold: (key: string) => string,
): string | undefined {
  for (const { key } of map?.items ?? []) {
    if (isScalar(key) && typeof key.value === "string" && fold(key.value) === wanted) return key.value;
  }
  return undefined;
}

/** Why single posts of a text cannot change, by index: others share their values. */
export function sharedPosts(text: string): ReadonlyMap<number, string> {
  const parts = partsOf(text);
  const list = parts.get(pathOfPosts(parts));
  const posts = isSeq(list) ? list.items.map((post) => (isNode(post) ? post : undefined)) : [];
  const takers = new Map<string, Set<number>>();
  for (const [index, post] of posts.entries())
    for (const name of post === undefined ? [] : aliasesIn(post))
      takers.set(name, (takers.get(name) ?? new Set<number>()).add(index));
  return new Map(
    posts.flatMap((post, index): [number, string][] => {
      const isTaken = (anchor: string): boolean =>
        [...(takers.get(anchor) ?? [])].some((taker) => taker !== index);
      const anchor = post === undefined ? undefined : anchorsOn(post).find(isTaken);
      return anchor === undefined ? [] : [[index, sharedText(anchor)]];
    }),
  );
}

function sharedText(anchor: string): string {
  return `Other posts reuse values of this post (*${anchor}) and would change with it. Write out those values in the other posts, and remove &${anchor} here.`;
}

function aliasesIn(node: Node): string[] {
  const names: string[] = [];
  visit(node, { Alias: (_key, { source }) => void names.push(source) });
  return names;
}

/** Nodes to write into. Nodes elsewhere may be shared. */
const WRITTEN = new Set("content media status variants platforms scheduled_at date time".split(" "));

/** The anchors of a post and of the nodes to write into, outermost first. */
function anchorsOn(post: Node): string[] {
  if (isAlias(post)) return [];
  const values = isMap(post)
    ? post.items.flatMap(({ key, value }) =>
        isScalar(key) && WRITTEN.has(foldName(String(key.value))) && isNode(value) ? value : [],
      )
    : [];
  const names: string[] = post.anchor === undefined ? [] : [post.anchor];
  for (const value of values)
    visit(value, {
      Value: (_key, { anchor }) => void (anchor === undefined ? undefined : names.push(anchor)),
    });
  return names;
}
