/** Adds UTM parameters to the links of a text. Pure. */

import { domainToASCII } from "node:url";
import { parseUrl } from "../../model/address.ts";
import { type UtmSettings, type UtmVariable, UTM_VARIABLES } from "../../settings/calendar-settings.ts";
import { findLinks } from "../rules/links-and-tags.ts";

const PARAMETERS = [
  "source",
  "medium",
  "campaign",
  "term",
  "content",
] as const satisfies (keyof UtmSettings)[];

/** A parameter of a link: its name, and its value as an address holds it. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** The values of a post; an absent value is blank. */
export type UtmValues = { readonly [Name in UtmVariable]?: string | undefined };

/** The parameters for a post. Leaves out a parameter that is blank, or needs a value that the post does not have. */
export function parametersFor(settings: UtmSettings, values: UtmValues): readonly Parameter[] {
  return PARAMETERS.flatMap((name): Parameter[] => {
    const template = settings[name] ?? "";
    const used = UTM_VARIABLES.filter((each) => template.includes(`{${each}}`));
    if (template.trim() === "" || used.some((each) => (values[each] ?? "") === "")) return [];
    const value = template.replaceAll(/\{([a-z]+)\}/g, (whole, variable: string) => {
      const known = UTM_VARIABLES.find((each) => each === variable);
      return known === undefined ? whole : (values[known] ?? "");
    });
    return [{ name: `utm_${name}`, value: encoded(value.trim()) }];
  });
}

/**
 * A value as a query holds it. Networks end a link before some characters, so plancast encodes these characters, too.
 */
function encoded(value: string): string {
  const whole = value.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return encodeURIComponent(whole).replaceAll(
    /[!'()*~]|\.$/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export interface Tagged {
  readonly text: string;
  /** Links that should get parameters, but whose end is not certain. They stay as they are. */
  readonly unclear: readonly string[];
}

/**
 * A text whose links have the parameters. A link keeps a parameter that it already has.
 * @param hosts whose links get them, with their subdomains; undefined for all
 */
export function tagLinks(text: string, parameters: readonly Parameter[], hosts?: readonly string[]): Tagged {
  const links = parameters.length === 0 ? [] : findLinks(text, { bare: false });
  const own = hosts?.map((host) => domainToASCII(host));
  const unclear: string[] = [];
  let tagged = "";
  let done = 0;
  for (const { start, end: hostEnd, text: found } of links) {
    const link = found + fragmentAt(text, hostEnd, found);
    const end = start + link.length;
    const longer = withParameters(link, parameters);
    if (longer === link || !isOnHost(link, own)) continue;
    if (!endsThere(text, end, longer)) {
      unclear.push(link);
      continue;
    }
    tagged += text.slice(done, start) + longer;
    done = end;
  }
  return { text: tagged + text.slice(done), unclear };
}

const WITHOUT_PATH = /^https?:\/\/[^/?#]*$/i;
const FRAGMENT = /#[\w!./%-]*[\w/]/y;

/** The fragment of a link without a path, such as `https://example.com#top`, which networks read as a hashtag. */
function fragmentAt(text: string, end: number, link: string): string {
  if (text[end] !== "#" || !WITHOUT_PATH.test(link)) return "";
  FRAGMENT.lastIndex = end;
  return FRAGMENT.exec(text)?.[0] ?? "";
}

function withParameters(link: string, parameters: readonly Parameter[]): string {
  const [address, query, fragment] = partsOf(link);
  const present = new Set([...new URLSearchParams(query ?? "").keys()].map(parameterName));
  const added = parameters.filter(({ name }) => !present.has(name));
  if (added.length === 0) return link;
  // Some programs end a link without a path before its query.
  const path = WITHOUT_PATH.test(address) ? "/" : "";
  const before = query === undefined || query === "" || query.endsWith("&") ? (query ?? "") : `${query}&`;
  const all = added.map(({ name, value }) => `${name}=${value}`).join("&");
  return `${address}${path}?${before}${all}${fragment}`;
}

/** Address, query without `?` (undefined without any), and fragment with `#`. */
function partsOf(link: string): readonly [address: string, query: string | undefined, fragment: string] {
  const hash = link.indexOf("#");
  const whole = hash === -1 ? link : link.slice(0, hash);
  const fragment = link.slice(whole.length);
  const mark = whole.indexOf("?");
  return mark === -1 ? [whole, undefined, fragment] : [whole.slice(0, mark), whole.slice(mark + 1), fragment];
}

/** In an address that somebody copied from a page's source, `&` may be `&amp;`. */
function parameterName(name: string): string {
  return name.toLowerCase().replace(/^amp;/, "");
}

function isOnHost(link: string, hosts: readonly string[] | undefined): boolean {
  if (hosts === undefined) return true;
  const host = parseUrl(link)?.hostname.replace(/\.$/, "") ?? "";
  return hosts.some((own) => own !== "" && (host === own || host.endsWith(`.${own}`)));
}

/**
 * Signs that may belong to an address. If one of these characters follows, programs disagree about where the link
 * ends.
 */
const MAYBE_OF_LINK = /^[\p{L}\p{M}\p{N}%&=+$/#@^{[(\\_~-]/u;

/** Text after a link that is looked at, in UTF-16 units. */
const LOOK_AHEAD = 64;

/** Whether the longer form of a link that ends at `end` would end before the text that follows. */
function endsThere(text: string, end: number, longer: string): boolean {
  const near = text.slice(end, end + LOOK_AHEAD);
  if (MAYBE_OF_LINK.test(near)) return false;
  const [run = ""] = /^\S*/.exec(near) ?? [];
  if (run.length === LOOK_AHEAD) return false;
  return findLinks(longer + run, { bare: false })[0]?.text === longer;
}
