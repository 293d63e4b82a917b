import { type Check, failing, ok } from "../check.ts";

export const nodeCheck: Check = {
  name: "node",
  looksAt: "The version of Node.",
  run: ({ node: { version, wanted } }) => {
    const least = wanted.replace(/^>=/, "");
    if (!isOlder(version, least)) return ok(`Node ${version}.`);
    return failing(`Node ${version} is too old.`, `plancast runs on Node ${least} and later. Update Node.`);
  },
};

function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => text.split(".").map(Number));
  const differing = want?.findIndex((part, index) => part !== (have?.[index] ?? 0)) ?? -1;
  return differing !== -1 && (have?.[differing] ?? 0) < (want?.[differing] ?? 0);
}
