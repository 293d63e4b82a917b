/** How the workflows of a new project name the Action, which gets the secrets. */

import { z } from "zod";
import { readFile } from "../../disk/machine.ts";
import { VERSION } from "../../model/version.ts";

const ACTION = "plancast/plancast";

/** `scripts/packed-manifest.js` adds the commit of the release to the package. A checkout has none. */
const packed = z.object({
  name: z.literal("plancast"),
  version: z.literal(VERSION),
  gitHead: z.string().regex(/^[0-9a-f]{40}$/),
});

/** By the commit of the release, because a tag can be moved: `owner/plancast@0a1b… # v1.2.3`. Without one, by the tag. */
export async function actionReference(folder = new URL(".", import.meta.url)): Promise<string> {
  for (let at = folder, above = at; ; at = above) {
    const text = await readFile(new URL("package.json", at), "utf8").catch(() => undefined);
    if (text !== undefined) return referenceFrom(text);
    above = new URL("..", at);
    if (above.href === at.href) return `${ACTION}@v${VERSION}`;
  }
}

function referenceFrom(manifest: string): string {
  const read = packed.safeParse(JSON.parse(manifest));
  return read.success ? `${ACTION}@${read.data.gitHead} # v${VERSION}` : `${ACTION}@v${VERSION}`;
}

/** What to do about a reference by tag, as lines of a workflow; empty for one by commit, which exists. */
export function pinningNote(action: string): string {
  if (action.includes("#")) return "";
  const tag = action.slice(action.indexOf("@") + 1);
  return `#
# The Action ${action} exists after the first release of plancast. Until then, push a clone of plancast to
# a repository of your own, and write \`uses: your-name/plancast@COMMIT\` in both jobs.
# To pin the Action, write the commit of its tag instead of ${tag}:
# git ls-remote https://github.com/${ACTION} ${tag}
`;
}
