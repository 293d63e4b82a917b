/** The table of options in docs/write/options.md. */

import { networkTitle } from "../../checks/networks/network-names.ts";
import { valueForm } from "../../checks/option-values.ts";
import {
  CARRIED_BY_BUFFER,
  CARRIED_BY_POSTIZ,
  CARRIED_BY_ZERNIO,
  CARRIED_ITSELF,
  type Carried,
} from "../../model/options/carried.ts";
import { CATALOGUE } from "../../model/options/catalogue.ts";

/** The lines around the table. The first also says who writes it. */
const BEGIN = "<!-- options:";
const END = "<!-- /options -->";

const CARRIERS: readonly (readonly [title: string, carried: Carried])[] = [
  ["plancast itself", CARRIED_ITSELF],
  ["Postiz", CARRIED_BY_POSTIZ],
  ["Zernio", CARRIED_BY_ZERNIO],
  ["Buffer", CARRIED_BY_BUFFER],
];

/** @param page Markdown with markers for the table */
export function withOptionsTable(page: string): string {
  const begin = page.indexOf("\n", page.indexOf(BEGIN)) + 1;
  const end = page.indexOf(END, begin);
  if (!page.includes(BEGIN) || end === -1)
    throw new Error("The page has no markers for the table of options.");
  const rows = Object.entries(CATALOGUE).flatMap(([network, { options }]) =>
    Object.entries(options).map(([option, facts]) => {
      const name = `${network}.${option}`;
      const carriers = CARRIERS.flatMap(([title, carried]) => {
        const own = carried[name];
        return own === undefined ? [] : [own.needed === true ? `${title} (needed)` : title];
      });
      return `| \`${name}\` | ${facts.what}, on ${networkTitle(network)} | ${valueForm(facts, (value) => `\`${value}\``)} | ${carriers.join(", ") || "–"} |`;
    }),
  );
  const table = ["| option | what it is | values | where |", "| --- | --- | --- | --- |", ...rows];
  return `${page.slice(0, begin)}\n${table.join("\n")}\n\n${page.slice(end)}`;
}
