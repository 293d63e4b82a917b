/**
 * npm shows the README without the files beside it. `npm run readme-links` makes its links absolute, once package.json says
 * `repository`; the release checks that they are.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const MANIFEST = fileURLToPath(new URL("../package.json", import.meta.url));
const README = fileURLToPath(new URL("../README.md", import.meta.url));

/** A link or picture of Markdown that leads to a file of the repository. */
const RELATIVE = /(!?)(\[(?:[^[\]]|\[[^\]]*\])*\]\()(?!https?:|mailto:|#)([^)\s]+)\)/g;

/** @param {string} readme @returns {string[]} where its relative links lead */
export function relativeLinks(readme) {
  return [...readme.matchAll(RELATIVE)].map(([, , , target = ""]) => target);
}

/**
 * @param {unknown} repository what package.json says
 * @returns {string | undefined} such as `owner/name`; undefined if it is not on GitHub
 */
export function gitHubName(repository) {
  const url = typeof repository === "string" ? repository : Reflect.get(Object(repository), "url");
  return /^(?:github:|.*github\.com[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(String(url ?? ""))?.[1];
}

/** @param {string} readme @param {string} name such as `owner/name` @returns {string} the same, with absolute links */
export function absoluteLinks(readme, name) {
  return readme.replaceAll(RELATIVE, (_link, isPicture, text, target) =>
    isPicture === "!"
      ? `!${text}https://raw.githubusercontent.com/${name}/main/${target})`
      : `${text}https://github.com/${name}/blob/main/${target})`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { repository } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const name = gitHubName(repository);
  if (name === undefined)
    throw new Error("package.json names no repository on GitHub. Set `repository` first.");
  const readme = readFileSync(README, "utf8");
  writeFileSync(README, absoluteLinks(readme, name));
  console.log(`${relativeLinks(readme).length} links are now absolute.`);
}
