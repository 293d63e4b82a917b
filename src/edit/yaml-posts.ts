/** Where the posts of a YAML calendar stand, and which of them others take values from. */
import { isAlias, isMap, isNode, isScalar, isSeq, visit, type Node, type YAMLMap } from "yaml";
import { foldName } from "../calendar/fold-name.ts";
import { partsOf, type YamlParts, type YamlPath } from "../write/yaml-insert.ts";

export function pathOfPosts({ get }: YamlParts): YamlPath {
  const root = get([]);
  return isMap(root) ? [keyIn(root, "posts", foldName) ?? "posts"] : [];
}

/** The key of a mapping as it is written, by the form in which keys are compared. */
export function keyIn(map: YAMLMap, wanted: string, fold: (key: string) => string): string | undefined {
  for (const { key } of map.items) {
    if (isScalar(key) && typeof key.value === "string" && fold(key.value) === wanted) return key.value;
  }
  return undefined;
}

/** Why posts of a text cannot change alone, by index: others take over what is put into them. */
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
  return `Other posts take over what this one says (*${anchor}), and would change with it. Write out there what they take over, and remove &${anchor} here.`;
}

function aliasesIn(node: Node): string[] {
  const names: string[] = [];
  visit(node, { Alias: (_key, { source }) => void names.push(source) });
  return names;
}

/** What is written into; what stands elsewhere may be shared. */
const WRITTEN = new Set(["content", "media", "status", "variants"]);

/** The anchors of a post and of what is written into in it, the outermost first. */
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
