/**
 * The libraries that are plancast's own choice: what each is for, and what loads it. They are built into dist/, so whoever
 * installs plancast installs nothing else.
 */

/** @type {Readonly<Record<string, { why: string, loadedBy: string }>>} */
export const REASONS = {
  aws4fetch: {
    why: "Signs requests to a bucket (AWS Signature Version 4)",
    loadedBy: "the embedded service with PLANCAST_MEDIA_URL",
  },
  "@fastify/busboy": {
    why: "Reads uploads (multipart) as a stream",
    loadedBy: "the embedded service",
  },
  "@hono/node-server": {
    why: "Runs hono on Node's HTTP server",
    loadedBy: "the embedded service and `preview --serve`",
  },
  "@modelcontextprotocol/sdk": {
    why: "The Model Context Protocol, through which assistants call tools",
    loadedBy: "`mcp`",
  },
  ajv: { why: "Part of the library for the Model Context Protocol", loadedBy: "`mcp`" },
  "ajv-formats": { why: "The same", loadedBy: "`mcp`" },
  bottleneck: {
    why: "Concurrency, order and waiting of requests, in one process or through a Redis",
    loadedBy: "every command that contacts a service",
  },
  chokidar: {
    why: "Reports when a file was saved, whatever the editor does to save it",
    loadedBy: "`preview --serve` and `plan --watch`",
  },
  "csv-parse": { why: "CSV as in RFC 4180 and in spreadsheets", loadedBy: "CSV calendars" },
  diff: { why: "Differences of texts, word by word", loadedBy: "plans that replace a post" },
  "fastest-levenshtein": { why: "“Did you mean”", loadedBy: "messages about names" },
  fflate: {
    why: "Writes the ZIP of a workbook",
    loadedBy: "`convert` and `init` to XLSX, and edits of workbooks",
  },
  "file-type": { why: "Detects the type of a media file from its bytes", loadedBy: "calendars with media" },
  hono: { why: "Routes of an HTTP server", loadedBy: "the embedded service and `preview --serve`" },
  htmlparser2: {
    why: "Reads the head of a web page, whatever its form",
    loadedBy: "publishing on Bluesky, for a post with a link and no picture",
  },
  "ical.js": { why: "Reads iCalendar files, with events that repeat", loadedBy: "projects with `holidays:`" },
  "image-size": { why: "Width and height of pictures, from their headers", loadedBy: "calendars with media" },
  ioredis: { why: "Talks to Redis", loadedBy: "projects that name a Redis" },
  "libheif-js": {
    why: "Decodes HEIC, the pictures of iPhones (libheif and libde265 in WebAssembly)",
    loadedBy: "`preview` and publishing, for pictures that must be converted",
  },
  luxon: {
    why: "Local times in IANA zones, with clock changes",
    loadedBy: "everything that reads calendars",
  },
  nodemailer: { why: "Sends mails through a mail server (SMTP)", loadedBy: "`watch` with `notify.email`" },
  "p-limit": { why: "At most N at the same time", loadedBy: "`apply`, and reading of media" },
  pg: { why: "Talks to PostgreSQL", loadedBy: "the embedded service with PLANCAST_DATABASE_URL" },
  picocolors: { why: "Colours, if the terminal has them", loadedBy: "every command" },
  "rrule-temporal": {
    why: "Days on which rows repeat (RRULE, RFC 5545)",
    loadedBy: "calendars with `repeat`",
  },
  saxes: { why: "Reads the XML of workbooks as a stream", loadedBy: "XLSX and ODS calendars" },
  "string-width": {
    why: "Measures how wide emoji, Arabic and CJK characters are in a terminal",
    loadedBy: "tables and reports",
  },
  tinyglobby: { why: "Finds calendars by patterns", loadedBy: "everything that reads calendars" },
  tlds: {
    why: "Detects which words with a dot are links, as X counts them and Bluesky shows them",
    loadedBy: "the checks before posting",
  },
  undici: {
    why: "HTTP requests, with limits and with checks of each connection",
    loadedBy: "all requests to services, and downloads",
  },
  "wasm-vips": {
    why: "Converts pictures: smaller, upright, in sRGB (libvips in WebAssembly)",
    loadedBy: "the same",
  },
  yaml: { why: "YAML, with the position of each value", loadedBy: "`plancast.yaml` and YAML calendars" },
  yargs: { why: "Parses the arguments", loadedBy: "every command" },
  yauzl: { why: "Reads the ZIP of a workbook within limits", loadedBy: "XLSX and ODS calendars" },
  zod: {
    why: "Checks the form of all input, and describes it as JSON Schema",
    loadedBy: "every command",
  },
  "zod-openapi": { why: "Makes an OpenAPI document from zod schemas", loadedBy: "the embedded service" },
};

/**
 * @param {readonly import("./bundled-packages.js").BundledPackage[]} packages what the built files hold
 * @returns {string} docs/change/dependencies.md
 */
export function dependenciesPage(packages) {
  const own = Object.entries(REASONS).map(([name, { why, loadedBy }]) => {
    const { license = "" } = packages.find((each) => each.name === name) ?? {};
    return `| [\`${name}\`](https://www.npmjs.com/package/${name}) | ${why} | ${loadedBy} | ${license} |\n`;
  });
  const others = packages.filter(({ name }) => !Object.hasOwn(REASONS, name));
  const names = [...new Set(others.map(({ name, license }) => `\`${name}\` (${license})`))];
  return `<!-- Written by \`npm run docs\` from scripts/dependency-reasons.js. Do not edit. -->

# Dependencies

At the end of this page, you know which libraries plancast contains and why.

If you install plancast, you install one package. The libraries below are in its files, and nothing runs at install.
\`dist/sbom.cdx.json\` in the package lists them with their versions (CycloneDX). \`dist/third-party-licenses.txt\` contains their
licences. A command loads a library only when it needs it.

A new library must do something that is not plancast's own job, be well maintained, and have no install script. Add it under
\`devDependencies\`, because the build includes it.

\`wasm-vips\` and \`libheif-js\` contain libraries under LGPL-3.0. The build copies their files to \`dist/pictures\`
without changes, so you can replace them.

| library | what it is for | what loads it | licence |
| --- | --- | --- | --- |
${own.join("")}
They include these: ${names.join(", ")}.

plancast runs on Node 20.19, so these wait for Node 22: \`chokidar\` 6, \`file-type\` 22 and \`undici\` 8, and \`vitest\` 5 for the tests.

## Why these libraries for pictures

Pictures come from cameras and from strangers. The library must know HEIC, AVIF and colour profiles, and a broken picture
must not harm the machine. These were compared in November 2026, with Node 20.20 on two shared cores:

| library | install | needs | HEIC | AVIF | 12 MP to 2,000 px | memory | colour fault | loading |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| \`@jsquash/*\` (before) | 0.5 MB | nothing | no | no | 2.6 | 324 MB | 7.7 | – |
| \`sharp\` 0.35 | 20 MB | a native file for each system | no | yes | 1 | 150 MB | 0.6 | – |
| \`sharp\` 0.35 in WebAssembly | 10 MB | nothing | no | yes | 2.0 | 205 MB | 0.6 | – |
| \`wasm-vips\` 0.0.19 | 9 MB | nothing | no | yes | 1.2 | 216 MB | 0.6 | 0.14 s |
| \`@imagemagick/magick-wasm\` 0.0.43 | 15 MB | nothing | yes | yes | 3.0 | 206 MB | 0.6 | 0.3 s |
| \`libheif-js\` 1.23, only to decode | 2 MB | nothing | yes | no | – | 158 MB | – | 0.05 s |

The speed is processor time of the second run: sharp needs 0.54 s. The colour fault is the mean difference (ΔE 1976) of 48
colours of a Display-P3 JPEG, compared with LittleCMS 2.19. \`jimp\` 1.6 has 64 packages (34 MB), and no colour profiles.

plancast uses \`wasm-vips\`, and \`libheif-js\` for HEIC. It is almost as fast as sharp and has the same colours. It stays one
package for all systems, and a picture cannot reach anything outside the memory of WebAssembly. A HEIC of 12 MP needs 1.2 s more.
This is how sharp was measured:

\`\`\`js
const sharp = require("sharp");
sharp.concurrency(1);
const start = process.cpuUsage();
await sharp("photo.jpg").autoOrient().resize(2000, 2000, { fit: "inside" }).webp({ quality: 85 }).toBuffer();
console.log(process.cpuUsage(start));
\`\`\`
`;
}
