/** Editing a file with one post keeps everything else in it. */

import { expect, test } from "vitest";
import { edit, editedText } from "../../../support/edits.ts";

const POST = `---
# ours
id: tulips # its name
Publish date: 2036-03-01
status: draft
variants:
  x: { content: Hi }
---

The tulips
are here.

---

Order them.
`;

test("replaces the text below the front matter, and keys in it", async () => {
  const after = await editedText("a.md", POST, {
    0: {
      content: "Roses",
      status: "ready",
      media: "a.png",
      "content:linkedin": "One\nTwo",
      "content:x": "Ho",
    },
  });
  expect(after).toBe(
    POST.replace("status: draft", "status: ready")
      .replace(
        "  x: { content: Hi }\n",
        "  x: { content: Ho }\n  linkedin:\n    content: |-\n      One\n      Two\nmedia: a.png\n",
      )
      .replace("The tulips\nare here.", "Roses"),
  );
});

test.each([
  ["no text", "---\nid: a\n---\n", "---\nid: a\n---\n\nHello\n"],
  ["no front matter", "Old\n---\nMore\n", "Hello\n---\nMore\n"],
  ["CRLF", "---\r\nid: a\r\n---\r\n\r\nOld\r\n", "---\r\nid: a\r\n---\r\n\r\nHello\r\n"],
  ["its text at the top", "---\ncontent: Old # why\n---\n", "---\ncontent: Hello # why\n---\n"],
  ["a blank key for it", "---\nid: a\ncontent:\n---\n", "---\nid: a\ncontent:\n---\n\nHello\n"],
])("puts a text into a file with %s", async (_name, before, after) => {
  expect(await editedText("a.tweet", before, { 0: { content: "Hello" } })).toBe(after);
});

test.each([
  ["no front matter", "Hello\n", "---\nstatus: draft\n---\n\nHello\n"],
  ["empty front matter", "---\n---\nHello\n", "---\nstatus: draft\n---\nHello\n"],
  ["only a comment", "---\n# ours\n---\nHello\n", "---\n# ours\nstatus: draft\n---\nHello\n"],
  ["no line end", "---\nid: a\n---", "---\nid: a\nstatus: draft\n---"],
])("puts a status into a file with %s", async (_name, before, after) => {
  expect(await editedText("a.tweet", before, { 0: { status: "draft" } })).toBe(after);
});

test("a text that would start a thread is written into the front matter", async () => {
  const after = await editedText("a.md", "---\nid: a\n---\n\nOld\n", { 0: { content: "One\n---\nTwo" } });
  expect(after).toBe("---\nid: a\ncontent: |-\n  One\n  ---\n  Two\n---\n\n\n");
  const { contents, faults } = await edit("a.md", POST, { 0: { content: "One\n---\nTwo" } });
  expect([contents.toString(), faults]).toEqual([
    POST,
    [{ row: 0, message: expect.stringContaining("by hand") }],
  ]);
});
