/**
 * Whether plancast may send a key to an origin, as a table: who names the key and the address, and where the command
 * runs. And which addresses of a service it accepts.
 */

import { expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { type KeyUse, noKeyText } from "../../../src/problems/connection-texts.ts";
import {
  type Circumstances,
  OriginKey,
  decideOrigin,
  notConfirmed,
  parseAddress,
  parseTrustUrls,
  parseTrustedOrigins,
} from "../../../src/service/http/key.ts";

const ORIGIN = "https://api.example.com";
const CHECKOUT: KeyUse = { origin: ORIGIN, namedBy: "checkout", variable: "PLANCAST_API_KEY" };
const NOWHERE: Circumstances = {
  byEnvironment: [],
  byFlag: [],
  isCi: false,
  canAsk: false,
  isRemembered: false,
};
const PLACES = {
  CI: { ...NOWHERE, isCi: true },
  "no terminal": NOWHERE,
  terminal: { ...NOWHERE, canAsk: true },
  "remembered, no terminal": { ...NOWHERE, isRemembered: true },
  "remembered, terminal": { ...NOWHERE, canAsk: true, isRemembered: true },
  "remembered, CI": { ...NOWHERE, isCi: true, isRemembered: true },
} as const satisfies Record<string, Circumstances>;
const PAIR = { origin: ORIGIN, path: "", variable: "PLANCAST_API_KEY" };

function outcome(use: KeyUse, around: Circumstances): string {
  const decision = decideOrigin(use, around);
  switch (decision.kind) {
    case "send":
      return `send: ${decision.by}`;
    case "refuse":
      return `refuse: ${decision.why}`;
    default:
      return decision.kind;
  }
}

test.each([
  ["CI", "refuse: ci"],
  ["no terminal", "refuse: nobody-to-ask"],
  ["terminal", "ask"],
  ["remembered, no terminal", "send: remembered"],
  ["remembered, terminal", "send: remembered"],
  ["remembered, CI", "refuse: ci"],
] as const)("an address that only the checkout names, %s: %s", (place, expected) => {
  expect(outcome(CHECKOUT, PLACES[place])).toBe(expected);
});

test.each(Object.entries<Circumstances>(PLACES))(
  "environment, pair and flag confirm address and variable: %s",
  (_place, around) => {
    expect(outcome({ ...CHECKOUT, namedBy: "environment" }, around)).toBe("send: environment");
    expect(outcome(CHECKOUT, { ...around, byEnvironment: [PAIR] })).toBe("send: environment");
    expect(outcome(CHECKOUT, { ...around, byFlag: [PAIR] })).toBe("send: flag");
  },
);

test.each([
  { ...PAIR, variable: "ACME_KEY" },
  { ...PAIR, origin: "https://api.example.com:8443" },
  { ...PAIR, origin: "http://api.example.com" },
  { ...PAIR, origin: "https://example.com" },
])("an entry confirms exactly its origin and variable: %j", (pair) => {
  for (const given of [{ byEnvironment: [pair] }, { byFlag: [pair] }]) {
    expect(outcome(CHECKOUT, { ...PLACES.CI, ...given })).toBe("refuse: ci");
    expect(outcome(CHECKOUT, { ...PLACES["no terminal"], ...given })).toBe("refuse: nobody-to-ask");
    expect(outcome(CHECKOUT, { ...PLACES.terminal, ...given })).toBe("ask");
  }
});

test("the environment's address confirms no variable that the checkout names", () => {
  const use: KeyUse = { origin: ORIGIN, namedBy: "environment", variable: "GITHUB_TOKEN" };
  expect(outcome(use, PLACES.CI)).toBe("refuse: ci");
  expect(outcome(use, PLACES.terminal)).toBe("ask");
  expect(outcome(use, { ...PLACES.CI, byFlag: [PAIR], byEnvironment: [PAIR] })).toBe("refuse: ci");
  const pair = { ...PAIR, variable: "GITHUB_TOKEN" };
  expect(outcome(use, { ...PLACES.CI, byEnvironment: [pair] })).toBe("send: environment");
});

test("reads pairs between commas and spaces", () => {
  const text = " https://a.example/v1=A_KEY,\nhttps://B.example:443=B_KEY  http://127.0.0.1:8080=C_KEY ";
  expect(parseTrustedOrigins(text)).toEqual([
    { origin: "https://a.example", path: "/v1", variable: "A_KEY" },
    { origin: "https://b.example", path: "", variable: "B_KEY" },
    { origin: "http://127.0.0.1:8080", path: "", variable: "C_KEY" },
  ]);
  expect(parseTrustedOrigins(undefined)).toEqual([]);
  expect(parseTrustUrls(["https://a.example/v1", "https://b.example=B_KEY"])).toEqual([
    { origin: "https://a.example", path: "/v1", variable: "PLANCAST_API_KEY" },
    { origin: "https://b.example", path: "", variable: "B_KEY" },
  ]);
});

test.each([
  ["/u/acme", "/u/acme", true],
  ["/u/acme", "/u/acme/v1", true],
  ["", "/anything", true],
  ["/u/acme", "/u/attacker/v1", false],
  ["/u/acme", "/u/acme-2/v1", false],
  ["/u/acme", "/u/acme/%2e%2e/attacker", false],
  ["/u/acme", "/u/acme/..%2Fattacker", false],
  ["/u/acme", "/u", false],
  ["/u/acme", "/", false],
])("an entry for the path %j and the address %j: %s", (path, asked, isCovered) => {
  const pair = { ...PAIR, path };
  const use = { ...CHECKOUT, path: asked };
  expect(outcome(use, { ...PLACES.CI, byEnvironment: [pair] })).toBe(
    isCovered ? "send: environment" : "refuse: ci",
  );
  const key = OriginKey.confirmed(ORIGIN, "secret", "environment", path);
  const send = (): string => key.authorization(new URL(`${ORIGIN}${asked}`));
  // The parser of addresses resolves %2e%2e.
  if (isCovered) expect(send()).toBe("Bearer secret");
  else expect(send).toThrow("does not send the key there");
});

test.each([
  "https://a.example",
  "=A_KEY",
  "https://a.example=",
  "https://a.example=s3cr3t",
  "http://a.example=A_KEY",
  "https://user:s3cr3t@a.example=A_KEY",
  "https://a.example?s3cr3t=A_KEY",
  "*=A_KEY",
  "https://=A_KEY",
])("refuses an invalid entry, and does not repeat it: %s", (text) => {
  expect(() => parseTrustedOrigins(`https://b.example=B_KEY ${text}`)).toThrow(
    /^Entry 2 of PLANCAST_TRUSTED_ORIGINS (?!.*s3cr3t)/,
  );
});

test.each([
  ["http://a.example=A_KEY", "(http://a.example) is plain http"],
  ["a.example=A_KEY", "is not an https address"],
  ["https://a.example=a_key", "(https://a.example) names its variable in lower-case letters"],
  ["https://a.example", "(https://a.example) names no variable"],
  ["https://a.example=s3-cr3t", "(https://a.example) does not end with the name of a variable"],
  ["https://user:s3cr3t@a.example=A_KEY", "(https://a.example) contains a user name or password"],
])("names the entry and its fault: %s", (text, expected) => {
  expect(() => parseTrustedOrigins(text)).toThrow(`Entry 1 of PLANCAST_TRUSTED_ORIGINS ${expected}`);
});

test.each([
  ["github", "On GitHub, add the secret ACME_KEY under Settings, Secrets and variables, Actions."],
  ["several-projects", "Put the key into the environment variable ACME_KEY."],
  [
    "command",
    "Put the key into the environment variable ACME_KEY, or name a file that contains it with --api-key-file.",
  ],
] as const)("a missing key names the place for it: %s", (place, expected) => {
  const { hint } = noKeyText("ACME_KEY", false, place);
  expect(hint.startsWith(expected)).toBe(true);
  expect(hint.includes("--api-key-file")).toBe(place === "command");
});

test("a refusal uses the network's word for the account's secret", () => {
  const use: KeyUse = { ...CHECKOUT, variable: "BLUESKY_APP_PASSWORD", secret: "password" };
  const { message, hint } = notConfirmed(use, "ci", "plancast.yaml");
  expect(message).toContain("The password in BLUESKY_APP_PASSWORD was not sent");
  expect(`${message} ${hint}`).not.toMatch(/key|service/);
});

test("a refusal names the other variables and paths for which the address is confirmed", () => {
  const trusted = [
    { ...PAIR, variable: "ACME_KEY" },
    { ...PAIR, path: "/acme", variable: "PLANCAST_API_KEY" },
    { origin: "https://b.example", path: "", variable: "B_KEY" },
  ];
  const { message } = notConfirmed(CHECKOUT, "ci", "plancast.yaml", trusted);
  expect(message).toContain(
    `was not sent to ${ORIGIN}: PLANCAST_TRUSTED_ORIGINS names this address only for ACME_KEY, PLANCAST_API_KEY below /acme.`,
  );
});

test("a refusal shows the key, the address, where they are set, and what to check first", () => {
  const { message, hint } = notConfirmed(CHECKOUT, "ci", "plancast.yaml");
  expect(message).toContain(`was not sent to ${ORIGIN}: only plancast.yaml names this address`);
  expect(message).toContain(`If ${ORIGIN} is not your service, find out who changed plancast.yaml.`);
  expect(hint).toMatch(/^If this is your service, .*PLANCAST_BASE_URL.*=PLANCAST_API_KEY`/);
  const other = notConfirmed({ ...CHECKOUT, variable: "ACME_KEY" }, "ci", "plancast.yaml");
  expect(other.hint).not.toContain("PLANCAST_BASE_URL");
  expect(other.hint).toContain(`\`${ORIGIN}=ACME_KEY\``);
  const alone = notConfirmed(CHECKOUT, "nobody-to-ask", "plancast.yaml");
  expect(alone.hint).toMatch(/^If this is your service, set PLANCAST_BASE_URL/);
  expect(alone.hint).toContain(`--trust-url ${ORIGIN}`);
});

test.each([
  ["https://api.example.com", "https://api.example.com/v1"],
  ["https://api.example.com/", "https://api.example.com/v1"],
  ["https://api.example.com/v1", "https://api.example.com/v1"],
  ["https://api.example.com/v1/", "https://api.example.com/v1"],
  ["https://api.example.com/tenant/7", "https://api.example.com/tenant/7/v1"],
  ["https://API.example.com:8443/x/v1//", "https://api.example.com:8443/x/v1"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4010/v1"],
  ["http://localhost:4010/v1", "http://localhost:4010/v1"],
  ["http://[::1]:4010/v1", "http://[::1]:4010/v1"],
])("reads the address %s as %s", (text, base) => {
  expect(parseAddress(text).base).toBe(base);
});

test.each([
  "http://api.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "https://user:s3cret@api.example.com",
  "https://api.example.com/v1?key=s3cret",
  "https://api.example.com/v1#s3cret",
  "https://api.example.com/v1?",
  "ftp://api.example.com/s3cret",
  "api.example.com",
  "",
  "embeded",
])("refuses the address %j without repeating it", (text) => {
  const refused = catchFailure(() => parseAddress(text));
  expect(refused.code).toBe("service/address");
  expect(`${refused.message} ${refused.hint}`).not.toContain("s3cret");
});

function catchFailure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("no Failure was thrown");
}
