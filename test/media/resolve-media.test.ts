import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveMedia } from "../../src/media/resolve-media.ts";
import type { MediaReference, Post } from "../../src/model/post.ts";
import { makeProject } from "../support/project.ts";
import { post } from "../support/rows.ts";
import { tinyGif, tinyJpeg, tinyMp4, tinyPng } from "../support/tiny-media.ts";

const FILES = {
  "calendars/near.png": tinyPng(1),
  "media/far.jpg": tinyJpeg(),
  "media/near.png": tinyPng(2),
  "media/clip.mp4": tinyMp4(),
  "media/move.gif": tinyGif(),
  "media/page.png": "<!doctype html>",
  "media/text.txt": "words",
  "media/type.png": "",
  "media/folder.png/x": "x",
  "media/Cafe\u0301.png": tinyPng(3),
};

async function notAsked() {
  return undefined;
}

async function resolved(path: string) {
  const outside = await makeProject({ files: { "secret.png": tinyPng(9), "deep/secret.png": tinyPng(9) } });
  const { root } = await makeProject({ files: FILES });
  await symlink(join(outside.root, "secret.png"), join(root, "media/link.png"));
  await symlink(join(outside.root, "deep"), join(root, "media/linked"));
  await symlink(join(root, "media/far.jpg"), join(root, "media/inside.jpg"));
  await symlink(join(root, "media/loop.png"), join(root, "media/loop.png"));
  await mkdir(join(root, "media/sub"));
  await writeFile(join(root, "media/sub/near.png"), tinyPng(4));
  const media: MediaReference[] = [{ kind: "file", path }];
  const row: Post = { ...post(), media };
  const { posts, problems } = await resolveMedia([row], { root, folders: [] }, notAsked);
  const [found] = posts[0]?.media ?? [];
  return found?.kind === "file" ? `${found.mime} ${found.path}` : problems.map(({ code }) => code).join(" ");
}

test.each([
  ["near.png", "image/png calendars/near.png"],
  ["media\u200b/far.jpg", "image/jpeg media/far.jpg"],
  ["media/near.png", "image/png media/near.png"],
  ["../media/far.jpg", "image/jpeg media/far.jpg"],
  ["media/far.jpg", "image/jpeg media/far.jpg"],
  ["./media/../media/clip.mp4", "video/mp4 media/clip.mp4"],
  ["media/move.gif", "image/gif media/move.gif"],
  ["media/inside.jpg", "image/jpeg media/inside.jpg"],
  ["media/Caf\u00e9.png", "image/png media/Cafe\u0301.png"],
  ["media/gone.png", "media/missing"],
  ["media/folder.png", "media/type"],
  ["media/type.png", "media/type"],
  ["media/page.png", "media/type"],
  ["media/text.txt", "media/type"],
  ["media/link.png", "disk/outside"],
  ["media/linked/secret.png", "disk/outside"],
  ["../../etc/passwd", "disk/outside"],
  ["/etc/passwd", "disk/outside"],
  ["media/loop.png", "disk/unreadable"],
  ["a".repeat(5_000), "media/missing"],
])("resolves %s to %s", async (path, expected) => {
  expect(await resolved(path)).toBe(expected);
});

test.each([
  ["Media/Far.JPG", "media/far.jpg"],
  ["media/far.jpeg", "media/far.jpg"],
  ["media/Move .GIF", "media/move.gif"],
  ["media/move_.gif", undefined],
  ["../Media/clip.MP4", "../media/clip.mp4"],
  ["NEAR.png", "near.png"],
  ["media/far2.jpg", undefined],
  ["../../media/far.jpeg", undefined],
])("suggests for the missing %s: %s", async (path, expected) => {
  const { root } = await makeProject({ files: FILES });
  const row: Post = { ...post(), media: [{ kind: "file", path }] };
  const { problems } = await resolveMedia([row], { root, folders: [] }, notAsked);
  const [, suggested] = /Did you mean `(.*)`\?$/.exec(problems[0]?.message ?? "") ?? [];
  expect(suggested).toBe(expected);
});

test("names a pointer of Git LFS", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12\n`;
  const { root } = await makeProject({ files: { "cup.png": pointer } });
  const row: Post = { ...post(), media: [{ kind: "file", path: "cup.png" }] };
  const { problems } = await resolveMedia([row], { root, folders: [] }, notAsked);
  expect(problems).toMatchObject([
    { code: "media/type", message: expect.stringContaining("git lfs pull") as unknown },
  ]);
});

test("reads a file once for all rows and paths that name it", async () => {
  const { root } = await makeProject({ files: FILES });
  const paths = ["near.png", "../calendars/near.png", "near.png"];
  const rows = paths.map((path): Post => ({ ...post(), media: [{ kind: "file", path }] }));
  const { posts } = await resolveMedia(rows, { root, folders: [] }, notAsked);
  expect(
    new Set(posts.flatMap(({ media }) => media.map((each) => (each.kind === "file" ? each.sha256 : ""))))
      .size,
  ).toBe(1);
});

test.each([
  ["pictures/cup.jpg", ["pictures"], "image/jpeg pictures/cup.jpg"],
  ["cup.jpg", ["photos", "pictures"], "image/jpeg pictures/cup.jpg"],
  ["a/cup.jpg", ["pictures"], "image/jpeg pictures/a/cup.jpg"],
  // The folder of the calendar and of the project come first.
  ["near.png", ["pictures"], "image/png calendars/near.png"],
  ["root.png", ["pictures"], "image/png root.png"],
  ["../pictures/cup.jpg", [], "image/jpeg pictures/cup.jpg"],
])("looks for %s in the folders %j: %s", async (path, folders, expected) => {
  const { root } = await makeProject({
    files: {
      "calendars/near.png": tinyPng(1),
      "root.png": tinyPng(2),
      "pictures/near.png": tinyPng(3),
      "pictures/root.png": tinyPng(4),
      "pictures/cup.jpg": tinyJpeg(),
      "pictures/a/cup.jpg": tinyJpeg(),
    },
  });
  const row: Post = { ...post(), media: [{ kind: "file", path }] };
  const { posts } = await resolveMedia([row], { root, folders }, notAsked);
  const [found] = posts[0]?.media ?? [];
  expect(found?.kind === "file" && `${found.mime} ${found.path}`).toBe(expected);
});

test.each([
  [
    "cup.jpg",
    'It is at pictures/spring/cup.jpg. Write this path, or set `media: { folders: ["pictures/spring"] }`',
  ],
  // Two files have this name, or the name has a folder of its own.
  ["twice.jpg", undefined],
  ["img/cup.jpg", undefined],
  ["hidden.jpg", undefined],
])("names the only other place of %s", async (path, expected) => {
  const { root } = await makeProject({
    files: {
      "pictures/spring/cup.jpg": tinyJpeg(),
      "pictures/twice.jpg": tinyJpeg(),
      "photos/twice.jpg": tinyJpeg(),
      ".cache/hidden.jpg": tinyJpeg(),
    },
  });
  const row: Post = { ...post(), media: [{ kind: "file", path }] };
  const { problems } = await resolveMedia([row], { root, folders: [] }, notAsked);
  expect(problems[0]?.message).toContain(expected ?? "There is no file");
  if (expected === undefined) expect(problems[0]?.message).not.toContain("It is at");
});
