/** Who may send an edit to the preview's server, and what an edit must look like. */

import { expect, test } from "vitest";
import { startPageServer } from "../../../src/preview/live/server.ts";
import { type EditRequest, EDIT_TOKEN_HEADER } from "../../../src/preview/preview-data.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type SentRequest, sendEdit } from "../../support/edit-requests.ts";

const TOKEN = "the-token-of-this-run";
const POST = { file: "a.csv", version: "v", line: 2, platforms: ["linkedin"] };
const EDIT = { ask: "change", post: POST, change: { day: "2036-03-04" } };

async function started() {
  const asked: EditRequest[] = [];
  const server = await startPageServer(
    {
      page: () => "<p>Page",
      data: () => "{}",
      media: () => undefined,
      policy: "default-src 'none'",
      editing: {
        token: TOKEN,
        answer: async (edit) => {
          asked.push(edit);
          return { answer: "changed", edit: "one", posts: 1 };
        },
      },
    },
    0,
  );
  afterThisTest(() => server.close());
  return { asked, url: new URL(server.url) };
}

function send(url: URL, sent: Partial<SentRequest>) {
  return sendEdit(url, TOKEN, { body: JSON.stringify(EDIT), ...sent });
}

test("the page itself may edit", async () => {
  const { asked, url } = await started();
  expect(await send(url, {})).toMatchObject({
    status: 200,
    text: '{"answer":"changed","edit":"one","posts":1}',
  });
  const local = { host: `localhost:${url.port}`, origin: `http://localhost:${url.port}` };
  expect((await send(url, { headers: { ...local, "sec-fetch-site": "same-origin" } })).status).toBe(200);
  expect(asked).toEqual([EDIT, EDIT]);
});

const REFUSED: readonly (readonly [string, number, Partial<SentRequest>])[] = [
  ["without a token", 403, { headers: { [EDIT_TOKEN_HEADER]: undefined } }],
  ["with another token", 403, { headers: { [EDIT_TOKEN_HEADER]: "the-token-of-that-run" } }],
  ["with an empty token", 403, { headers: { [EDIT_TOKEN_HEADER]: "" } }],
  ["without an origin", 403, { headers: { origin: undefined } }],
  ["from another site", 403, { headers: { origin: "https://evil.example" } }],
  ["from a page without an origin", 403, { headers: { origin: "null" } }],
  ["from another port", 403, { headers: { origin: "http://127.0.0.1:1" } }],
  ["that the browser calls cross-site", 403, { headers: { "sec-fetch-site": "cross-site" } }],
  ["that the browser calls same-site", 403, { headers: { "sec-fetch-site": "same-site" } }],
  ["for another host", 421, { headers: { host: "evil.example" } }],
  [
    "for another host with its origin",
    421,
    { headers: { host: "evil.example", origin: "http://evil.example" } },
  ],
  ["as a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["as text", 415, { headers: { "content-type": "text/plain" } }],
  ["without a type", 415, { headers: { "content-type": undefined } }],
  ["that is too large", 413, { body: JSON.stringify({ ...EDIT, change: { text: "a".repeat(600_000) } }) }],
  ["that is no JSON", 400, { body: "{" }],
  ["with an unknown key", 400, { body: JSON.stringify({ ...EDIT, path: "/etc/passwd" }) }],
  ["with an unknown change", 400, { body: JSON.stringify({ ...EDIT, change: { media: "a.png" } }) }],
  [
    "with a day that does not exist",
    400,
    { body: JSON.stringify({ ...EDIT, change: { day: "2036-02-30" } }) },
  ],
  ["as PUT", 405, { method: "PUT" }],
  ["as DELETE", 405, { method: "DELETE", body: "" }],
  ["at another path", 405, { path: "/" }],
];

test.each(REFUSED)("refuses an edit %s", async (_what, status, sent) => {
  const { asked, url } = await started();
  expect((await send(url, sent)).status).toBe(status);
  expect(asked).toEqual([]);
});

test("another site gets no permission to send an edit", async () => {
  const { url } = await started();
  const headers = {
    origin: "https://evil.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": `content-type,${EDIT_TOKEN_HEADER}`,
  };
  const { status, headers: given } = await send(url, { method: "OPTIONS", headers, body: "" });
  expect(status).toBe(405);
  expect(Object.keys(given).filter((name) => name.startsWith("access-control"))).toEqual([]);
});
