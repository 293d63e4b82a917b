/** Cards of links, read from pages of other people. */
import { expect, test } from "vitest";
import type { AllowsHost } from "../../src/media/allowed-hosts.ts";
import { LinkCards } from "../../src/networks/link-cards.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startPage } from "../support/web-page.ts";

function cards(allowsPages?: AllowsHost): LinkCards {
  const made = new LinkCards({ userAgent: "plancast-test", stop: new AbortController().signal, allowsPages });
  afterThisTest(() => made.close());
  return made;
}

const open = (): LinkCards => cards(() => true);

test.each<[string, string, object]>([
  [
    "what it says for other sites, before its own title",
    `<html><head><title>Own</title><meta property="og:title" content="Tulips &#x1F337; &amp; ferns">
     <meta property="og:description" content="For&nbsp;all"></head><body><meta property="og:title" content="late">`,
    { title: "Tulips 🌷 & ferns", description: "For all" },
  ],
  ["its title on one line", "<title> A\n  garden\t</title>", { title: "A garden", description: "" }],
  ["the first of two titles", "<title>One</title><svg><title>Two</title></svg>", { title: "One" }],
  ["an open tag at the end", "<title>Half", { title: "Half" }],
  [
    "a title beside markup that looks like code",
    "<script>'<title>no</title>'</script><title>Yes</title>",
    { title: "Yes" },
  ],
])("a card shows %s", async (_what, html, expected) => {
  const origin = await startPage(html);
  expect(await open().of(`${origin}/a`)).toMatchObject({ url: `${origin}/a`, ...expected });
});

test("a long title is cut, and a page in an older encoding is read", async () => {
  const origin = await startPage((path, response) => {
    const html = path === "/long" ? `<title>${"🌷".repeat(400)}</title>` : "<title>Fl\xF6te</title>";
    const charset = path === "/long" ? "utf-8" : "iso-8859-1";
    response.setHeader("content-type", `text/html; charset=${charset}`);
    response.end(Buffer.from(html, path === "/long" ? "utf8" : "latin1"));
  });
  const [long, old] = [await open().of(`${origin}/long`), await open().of(`${origin}/old`)];
  expect(Array.from(long?.title ?? "")).toHaveLength(300);
  expect(old?.title).toBe("Flöte");
});

/** `Café Müller` in an encoding with one byte for each letter. */
const CAFE = "Caf\xE9 M\xFCller";

test.each<[string, string, Buffer]>([
  ["a tag", "text/html", Buffer.from(`<meta charset=windows-1252><title>${CAFE}</title>`, "latin1")],
  [
    "an older tag",
    "text/html",
    Buffer.from(
      `<html><head><meta content="text/html; charset=iso-8859-1" http-equiv=content-type><title>${CAFE}`,
      "latin1",
    ),
  ],
  [
    "the header, whatever a tag says",
    "text/html;charset=ISO-8859-1",
    Buffer.from(`<meta charset="utf-8"><title>${CAFE}</title>`, "latin1"),
  ],
  ["a byte order mark", "text/html; charset=latin1", Buffer.from(`\uFEFF<title>${CAFE}</title>`)],
  ["a byte order mark of UTF-16", "text/html", Buffer.from(`\uFEFF<title>${CAFE}</title>`, "utf16le")],
  ["a tag that cannot be right", "text/html", Buffer.from(`<meta charset="utf-16"><title>${CAFE}</title>`)],
  ["nothing", "text/html", Buffer.from(`<title>${CAFE}</title>`)],
  ["an unknown name", "text/html", Buffer.from(`<meta charset="klingon"><title>${CAFE}</title>`)],
])("a page whose encoding is named by %s is read", async (_what, type, body) => {
  const origin = await startPage((_path, response) => {
    response.writeHead(200, { "content-type": type });
    // Also inside the name of the encoding and inside a letter.
    for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
    response.end();
  });
  expect(await open().of(origin)).toMatchObject({ title: "Café Müller" });
});

test.each(["windows-1252", "iso-8859-1"])(
  "the quotes and dashes of a page in %s are signs",
  async (charset) => {
    const title = Buffer.from([0x93, 0x41, 0x94, 0x20, 0x96, 0x20, 0x80]);
    const origin = await startPage((_path, response) => {
      response.writeHead(200, { "content-type": `text/html; charset=${charset}` });
      response.end(Buffer.concat([Buffer.from("<title>"), title]));
    });
    expect(await open().of(origin)).toMatchObject({ title: "“A” – €" });
  },
);

test("a title after more than a megabyte of scripts is found, and what a body says is not", async () => {
  const script = `<script>const page = "<body><title>no</title>";${"x".repeat(1_500_000)}</script>`;
  const origin = await startPage(
    `<head>${script}<meta property="og:title" content="A film"></head><body><title>Late</title>`,
  );
  expect(await open().of(origin)).toMatchObject({ title: "A film" });
});

test("a page without an end is read only at its beginning", async () => {
  const origin = await startPage((_path, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write("<title>Endless</title>");
    const more = (): boolean => response.write("<p>more</p>".repeat(10_000), () => void more());
    more();
  });
  expect(await open().of(origin)).toMatchObject({ title: "Endless" });
});

test.each<[string, number, Record<string, string>, string]>([
  ["a missing page", 404, { "content-type": "text/html" }, "<title>Not found</title>"],
  ["another file", 200, { "content-type": "application/pdf" }, "<title>No</title>"],
  ["a packed page", 200, { "content-type": "text/html", "content-encoding": "gzip" }, "<title>No</title>"],
  ["a page without a title", 200, { "content-type": "text/html" }, "<p>Hello</p>"],
  ["a way to an address that is not the web", 302, { location: "file:///etc/passwd" }, ""],
])("%s has no card", async (_what, status, headers, body) => {
  const origin = await startPage((_path, response) => void response.writeHead(status, headers).end(body));
  expect(await open().of(origin)).toBeUndefined();
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  "base64",
);

/** A page at `/a` with a picture, which is whatever is at `/pictures/b`. */
function withPicture(
  meta: string,
  picture: {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body: Buffer | string;
  },
): Promise<string> {
  const { status = 200, headers = {}, body } = picture;
  return startPage((path, response) => {
    if (path === "/a")
      response.writeHead(200, { "content-type": "text/html" }).end(`<title>A</title>${meta}`);
    else if (path === "/pictures/b") response.writeHead(status, headers).end(body);
    else response.writeHead(404).end();
  });
}

test.each([
  `<meta property="og:image" content="/pictures/b">`,
  `<meta property="og:image" content="pictures/b"><meta property="og:image" content="/other">`,
  `<meta name="twitter:image" content=" /pictures/b ">`,
])("a card has the picture that its page names: %s", async (meta) => {
  const origin = await withPicture(meta, { headers: { "content-type": "text/plain" }, body: PNG });
  const card = await open().of(`${origin}/a`);
  expect(card).toMatchObject({
    picture: { mime: "image/png", bytes: PNG.length, facts: { width: 1, height: 1 } },
  });
  expect(await card?.picture?.open()).toEqual(new Blob([PNG], { type: "image/png" }));
});

test.each<[string, Parameters<typeof withPicture>[1]]>([
  ["a missing picture", { status: 404, body: PNG }],
  ["a page instead of a picture", { body: "<html><title>Log in</title>" }],
  ["a drawing that may hold a script", { body: "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>" }],
  ["a very large picture", { body: Buffer.concat([PNG, Buffer.alloc(10_000_000)]) }],
  ["a packed picture", { headers: { "content-encoding": "gzip" }, body: PNG }],
  [
    "a picture elsewhere on this machine",
    { status: 302, headers: { location: "file:///etc/passwd" }, body: "" },
  ],
])("a card leaves out %s", async (_what, picture) => {
  const origin = await withPicture(`<meta property="og:image" content="/pictures/b">`, picture);
  expect(await open().of(`${origin}/a`)).toEqual({ url: `${origin}/a`, title: "A", description: "" });
});

test("a picture on a private host is not read", async () => {
  let asked = 0;
  const inside = await startPage((_path, response) => {
    asked += 1;
    response.end(PNG);
  });
  const origin = await withPicture(`<meta property="og:image" content="${inside}/x.png">`, { body: "" });
  const page = new URL(origin);
  expect(await cards(({ port }) => port === page.port).of(`${origin}/a`)).toMatchObject({ title: "A" });
  expect(asked).toBe(0);
});

test("a page on a private host is not read, even if a public link redirects there", async () => {
  let asked = 0;
  const origin = await startPage((_path, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Inside</title>");
  });
  for (const host of [
    origin,
    origin.replace("127.0.0.1", "localhost"),
    origin.replace("127.0.0.1", "[::ffff:7f00:1]"),
  ])
    expect(await cards().of(`${host}/a`)).toBeUndefined();
  expect(asked).toBe(0);
});
