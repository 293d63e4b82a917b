/** The figures of docs/change/reliability.md: how many cases were tried, and their results. */
import type { Violations } from "./invariants.ts";

export class Figures {
  readonly #counts = new Map<string, number>();

  constructor(...names: readonly string[]) {
    for (const name of [...names, ...OUTCOMES]) this.#counts.set(name, 0);
  }

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  countViolations({ duplicates, losses, touched }: Violations): void {
    this.count("duplicates", duplicates.length);
    this.count("losses", losses.length);
    this.count("foreign posts touched", touched.length);
  }

  get text(): string {
    return [...this.#counts].map(([name, count]) => `${name} ${count}`).join(", ");
  }

  /** One line on stdout. */
  print(title: string): void {
    process.stdout.write(`chaos ${title}: ${this.text}\n`);
  }
}

const OUTCOMES = ["duplicates", "losses", "foreign posts touched"];
