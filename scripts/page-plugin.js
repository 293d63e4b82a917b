/**
 * The preview's page in the package: `plancast:page` is a module that holds the code of src/preview/page, bundled for browsers,
 * and its style, as text. For the build and for tests.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const NAME = "plancast:page";
const RESOLVED = `\0${NAME}`;
const pageFile = (name) => fileURLToPath(new URL(`../src/preview/page/${name}`, import.meta.url));

export function pagePlugin() {
  return {
    name: "plancast-page",
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null;
      const [script, style] = await Promise.all([bundledPage(), joinedStyle()]);
      return `export const script = ${JSON.stringify(script)};\nexport const style = ${JSON.stringify(smaller(style))};\n`;
    },
  };
}

async function bundledPage() {
  const bundle = await rolldown({ input: pageFile("main.ts"), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  await bundle.close();
  const { code } = output[0];
  // The code is inside a script element.
  if (/<\/script|<!--/i.test(code))
    throw new Error("The page's code holds what would end its script element.");
  return code.trim();
}

/** The files that page.css imports, in its order. */
async function joinedStyle() {
  const start = await readFile(pageFile("styles/page.css"), "utf8");
  const names = [...start.matchAll(/@import "\.\/([\w-]+\.css)";/g)].map(([, name]) => name);
  const styles = await Promise.all(names.map((name) => readFile(pageFile(`styles/${name}`), "utf8")));
  return styles.join("\n");
}

function smaller(style) {
  return style
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}
