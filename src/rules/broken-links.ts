import { NO_FINDINGS, type PostRule } from "./check.ts";

/** From `http://` or `https://`, or one of these with a colon or slash missing, up to what cannot be in an address. */
const CANDIDATE =
  /(?<![\p{L}\p{N}_.+-])https?(?::\/\/(?:(?!https?:\/\/)[^\s<>"“”„«»‘’「」『』（）【】《》〈〉…，。、；：！？])*|:\/?(?!\/)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/giu;
/** Almost every link has a plain host, and then is in order whatever follows. */
const SUSPECT = /http(?!s?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#\s]|$))/i;
const SHOWN_LENGTH = 80;

/** content/link: text that is meant for a link and is none. */
export const brokenLinks: PostRule = ({ content }) => {
  if (!SUSPECT.test(content)) return NO_FINDINGS;
  return [...content.matchAll(CANDIDATE)].flatMap(([candidate]) => {
    const link = withoutPunctuation(candidate);
    const way = linkAdvice(link);
    if (way === undefined) return [];
    const shown = link.length > SHOWN_LENGTH ? `${link.slice(0, SHOWN_LENGTH)}…` : link;
    return [{ message: `"${shown}" is no link that can be opened. ${way}`, field: "content" } as const];
  });
};

/** A full stop or closing bracket at the end belongs to the sentence; `[` opens an address in numbers, with its `]`. */
function withoutPunctuation(candidate: string): string {
  const endings = candidate.includes("[") ? ".,;:!?)}'*_~|" : ".,;:!?)}]'*_~|";
  const least = candidate.indexOf("//") + 2;
  let end = candidate.length;
  while (end > least && endings.includes(candidate[end - 1] ?? "")) end -= 1;
  return candidate.slice(0, end);
}

/** What to do about a link; undefined for one that is in order. */
function linkAdvice(link: string): string | undefined {
  if (!/^https?:\/\//i.test(link)) return "Write it as https://example.com, with a colon and two slashes.";
  if (/^https?:\/\/$/i.test(link)) return "Write the whole address behind it, without a blank.";
  const host = hostOf(link);
  if (host !== undefined && isHostname(host)) return undefined;
  return "Check how its address is written.";
}

function hostOf(link: string): string | undefined {
  return URL.canParse(link) ? new URL(link).hostname : undefined;
}

/** Parsers let much pass that no name of a host has, such as commas and `..`. */
function isHostname(host: string): boolean {
  return /^\[[0-9a-f:.]+\]$/.test(host) || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/.test(host);
}
