/** GitHub's expressions, as far as action.yml uses them. Source: docs.github.com, "Expressions". */

/** The values that an expression can use, by dotted path, for example `inputs.name`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** Replaces every `${{ … }}` in a text by its value. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    asText(evaluate(expression, contexts)),
  );
}

/** The value of an `if:`, with or without `${{ }}`. */
export function isTrue(condition: string, contexts: Contexts): boolean {
  return Boolean(evaluate(condition.replace(/^\$\{\{(.*)\}\}$/, "$1"), contexts));
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}

const TOKEN = /\s*('(?:[^']|'')*'|==|!=|&&|\|\||[!()]|[A-Za-z_][\w.-]*)/y;

function evaluate(expression: string, contexts: Contexts): unknown {
  const tokens: string[] = [];
  const rest = expression.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rest.length) {
    const [, token] = TOKEN.exec(rest) ?? [];
    if (token === undefined) throw new Error(`not understood: ${expression}`);
    tokens.push(token);
  }
  const parser = new Parser(tokens, contexts);
  const value = parser.or();
  if (!parser.isAtEnd) throw new Error(`not understood to the end: ${expression}`);
  return value;
}

class Parser {
  readonly #tokens: string[];
  readonly #contexts: Contexts;

  constructor(tokens: string[], contexts: Contexts) {
    this.#tokens = tokens;
    this.#contexts = contexts;
  }

  get isAtEnd(): boolean {
    return this.#tokens.length === 0;
  }

  or(): unknown {
    let value = this.#and();
    while (this.#takes("||")) {
      const other = this.#and();
      value = value || other;
    }
    return value;
  }

  #and(): unknown {
    let value = this.#equality();
    while (this.#takes("&&")) {
      const other = this.#equality();
      value = value && other;
    }
    return value;
  }

  #equality(): unknown {
    const value = this.#unary();
    if (this.#takes("==")) return asText(value).toLowerCase() === asText(this.#unary()).toLowerCase();
    if (this.#takes("!=")) return asText(value).toLowerCase() !== asText(this.#unary()).toLowerCase();
    return value;
  }

  #unary(): unknown {
    if (this.#takes("!")) return !this.#unary();
    const token = this.#tokens.shift() ?? "";
    if (token === "(") {
      const value = this.or();
      if (!this.#takes(")")) throw new Error("a bracket is not closed");
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (this.#takes("(")) {
      if (!this.#takes(")")) throw new Error(`${token} takes nothing`);
      return this.#look(`${token}()`);
    }
    return this.#look(token);
  }

  #look(name: string): unknown {
    const root = name.split(".")[0] ?? "";
    if (name in this.#contexts) return this.#contexts[name];
    if (Object.keys(this.#contexts).some((known) => known.startsWith(`${root}.`))) return undefined;
    throw new Error(`nothing is called ${name}`);
  }

  #takes(token: string): boolean {
    if (this.#tokens[0] !== token) return false;
    this.#tokens.shift();
    return true;
  }
}
