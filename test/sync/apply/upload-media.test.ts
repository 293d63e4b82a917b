import { expect, test } from "vitest";
import { uploadName } from "../../../src/sync/apply/upload-media.ts";

function name(url: string, mime = "image/jpeg"): string {
  return uploadName({ kind: "file", path: "shown", url, sha256: "", bytes: 1, mime });
}

test.each([
  ["https://a.example/my%20photo.jpg?x=1", "my_photo.jpg"],
  ["https://a.example/photo", "photo.jpeg"],
  ["https://a.example/", "media.jpeg"],
  ["https://a.example/uc?id=7", "uc.jpeg"],
  ["https://a.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd", ".._.._etc_passwd.jpeg"],
  ["https://a.example/a%22%0d%0aX-Evil:%201.jpg", "a_X-Evil_1.jpg"],
  ["https://a.example/%E2%80%AEgnp.exe.jpg", "_gnp.exe.jpg"],
  ["https://a.example/%FF.jpg", "_FF.jpg"],
  ["https://a.example/%F0%9F%98%80", "_.jpeg"],
  [`https://a.example/${"x".repeat(500)}.jpg`, `${"x".repeat(96)}.jpg`],
])("%s is uploaded as %s", (url, expected) => {
  expect(name(url)).toBe(expected);
});

test("the bytes decide the type if the name does not", () => {
  expect(name("https://a.example/clip", "video/quicktime")).toBe("clip.quicktime");
  expect(name("https://a.example/logo", "image/svg+xml")).toBe("logo.svg");
});

test("a file of the project keeps its name", () => {
  expect(uploadName({ kind: "file", path: "media/my photo", sha256: "", bytes: 1, mime: "image/png" })).toBe(
    "my photo",
  );
});
