/** The page on which a client approves posts, in a real browser: answers, the file, keys, and what captions cannot do. */
import { expect, test, vi } from "vitest";
import type { AnswersFile } from "../../src/preview/preview-data.ts";
import { runCommand } from "../support/run-command.ts";
import { expectNoViolations, useBrowser } from "./browser.ts";
import { HEAD, MARCH, clientPageOf, download, projectOf } from "./calendar-pages.ts";

const open = useBrowser();
// A browser starts slowly while other tests run.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("a client answers with the keyboard, comes back, and the downloaded file changes the calendar", async () => {
  const project = await projectOf(MARCH);
  const address = await clientPageOf(project, "--only", "date=2036-03");
  const opened = await open(address);
  const { page, said, asked } = opened;
  expect(await page.title()).toBe("Spring: posts to approve");
  const bar = page.getByRole("region", { name: "Your answers", exact: true });
  expect(await bar.locator("strong").textContent()).toBe("0 of 4 posts answered");
  expect(await page.locator(".card").count()).toBe(4);

  // From the search box through the first post, with keys only.
  await page.getByRole("searchbox").focus();
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      await page.keyboard.press("Tab");
      if (name.test(await page.evaluate(() => document.activeElement?.textContent ?? ""))) return;
    }
    throw new Error(`No tab leads to ${String(name)}.`);
  };
  await tabTo(/^Approve$/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Lovely / nice");
  expect(await bar.getByRole("status").textContent()).toBe("1 approved. Your browser keeps your answers.");
  await tabTo(/^Request changes$/);
  await page.keyboard.press("Space");
  expect(await page.locator(".card").nth(1).locator(".badge").textContent()).toBe("Changes");
  // Twice takes the answer back.
  await page.keyboard.press("Space");
  expect(await page.locator(".card").nth(1).locator(".badge").textContent()).toBe("To answer");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Shorter,\nplease");

  // The third one in its dialog, which the bar opens.
  await tabTo(/^Next unanswered$/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("A film of ferns").waitFor();
  await dialog.getByRole("textbox").focus();
  // Arrows move in the text, and not to another post.
  await page.keyboard.type("Why?");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("x");
  expect(await dialog.getByRole("textbox").inputValue()).toBe("Whyx?");
  await dialog.getByRole("button", { name: "Approve", exact: true }).press("Enter");
  expect(await dialog.locator(".badge").textContent()).toBe("Approved");
  await page.keyboard.press("Escape");
  expect(await page.locator(".card").nth(2).locator(".badge").textContent()).toBe("Approved");
  expect(await page.locator(".card").nth(2).getByRole("textbox").inputValue()).toBe("Whyx?");

  // The answers are there again, and the filters count them.
  await expect.poll(() => page.url()).not.toContain("post=");
  await page.reload();
  await page.locator("h1").waitFor();
  expect(await bar.locator("strong").textContent()).toBe("3 of 4 posts answered");
  expect(
    await page.getByRole("toolbar", { name: "Filter by status" }).getByRole("button").allTextContents(),
  ).toEqual(["To answer1", "Approved2", "Changes1"]);
  expect(await page.getByRole("textbox").first().inputValue()).toBe("Lovely / nice");

  const { name, text } = await download(opened);
  expect(name).toBe("answers-spring-2036-03.json");
  expect(await bar.getByRole("status").textContent()).toBe(
    "Downloaded answers-spring-2036-03.json. Send this file back to whoever sent you this page. 1 post is still unanswered.",
  );
  await project.write("answers.json", text);
  const { code, stdout } = await runCommand(["approvals", "answers.json"], { cwd: project.root });
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("2 approved, 1 with requested changes, 1 unanswered"),
  ]);
  expect(stdout).toContain("Comment: Whyx?");
  const statuses = (await project.read("calendars/a.csv")).split("\n").map((line) => line.split(",").at(-1));
  expect(statuses).toEqual(["status", '"ready"', '"draft"', '"ready"', '"draft"', '""', ""]);
  expect([said, [...new Set(asked.filter((each) => !each.startsWith("blob:")))]]).toEqual([[], [address]]);
});

test("the card of a post shows its thread, first comment and alt texts, too", async () => {
  const project = await projectOf([]);
  await project.write(
    "calendars/a.csv",
    "id,scheduled_at,platforms,content,media,alt,thread,thread_media,thread_alt,first_comment\n" +
      "a,2036-03-03 09:00,bluesky,Start,media/orchid-1.jpg,A lantern,Second part,media/orchid-1.jpg,Orchids,A link\n",
  );
  const { page } = await open(await clientPageOf(project));
  const card = page.locator(".card");
  expect(await card.locator(".replies li").allTextContents()).toEqual([
    // The mark of the picture with a description.
    "Second partALT",
    "First comment: A link",
  ]);
  // Each picture is with its text.
  const described = (part: string) =>
    card
      .locator(`${part} .media img`)
      .evaluateAll((images) => images.map((each) => each.getAttribute("alt")));
  expect([await described(".network"), await described(".replies li:first-child")]).toEqual([
    ["A lantern"],
    ["Orchids"],
  ]);
  expect(await card.locator(".extras dd").allTextContents()).toEqual(["A lantern", "Orchids"]);
  await expectNoViolations(page);
});

test("a page says when all is answered, and one without posts asks for nothing", async () => {
  const project = await projectOf(MARCH.slice(0, 1));
  const { page } = await open(await clientPageOf(project));
  expect(await page.locator(".status").textContent()).toBe("1 post in March 2036.");
  await page.getByRole("button", { name: "Request changes" }).click();
  const bar = page.getByRole("region", { name: "Your answers", exact: true });
  expect(await bar.locator("strong").textContent()).toBe("1 of 1 post answered");
  expect(await bar.getByRole("status").textContent()).toBe(
    "1 needs changes. Now download your answers. Your browser keeps your answers.",
  );
  await project.write("calendars/a.csv", `${HEAD}\n`);
  await runCommand(["preview", "--for-client"], { cwd: project.root });
  await page.reload();
  await page.getByText("Nothing to approve").waitFor();
  expect(await bar.count()).toBe(0);
  expect(await page.locator(".lead").count()).toBe(0);
});

test("a new version of the page keeps the answers to posts that did not change", async () => {
  const project = await projectOf(MARCH);
  const address = await clientPageOf(project, "--only", "date=2036-03");
  const { page } = await open(address);
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await approve.nth(0).click();
  await approve.nth(1).click();
  await project.write(
    "calendars/a.csv",
    (await project.read("calendars/a.csv")).replace("A second one", "A second version"),
  );
  await clientPageOf(project, "--only", "date=2036-03");
  await page.reload();
  await page.locator("h1").waitFor();
  expect(await page.locator(".card .badge").allTextContents()).toEqual([
    "Approved",
    "To answer",
    "To answer",
    "To answer",
  ]);
});

test("if a browser keeps nothing, the page says so, and asks before the answers are lost", async () => {
  const opened = await open(await clientPageOf(await projectOf(MARCH)));
  const { page } = opened;
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new Error("no storage");
      },
    }),
  );
  await page.reload();
  const status = page.getByRole("region", { name: "Your answers", exact: true }).getByRole("status");
  expect(await status.textContent()).toContain(
    "Your browser cannot keep your answers: download them before you close this page.",
  );
  await page.getByRole("button", { name: "Approve", exact: true }).first().click();
  const asks = () =>
    page.evaluate(() => {
      const event = new Event("beforeunload", { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    });
  expect(await asks()).toBe(true);
  const { answers }: AnswersFile = JSON.parse((await download(opened)).text);
  expect(answers.filter(({ answer }) => answer === "approved")).toHaveLength(1);
  expect(await asks()).toBe(false);
});

test("paper shows every post with boxes to tick, or the answer", async () => {
  const { page } = await open(await clientPageOf(await projectOf(MARCH)));
  await page.getByRole("button", { name: "Approve", exact: true }).first().click();
  await page.getByRole("textbox").first().fill("Good");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const papers = page.locator(".card .on-paper");
  expect(await papers.nth(0).innerText()).toBe("☒ Approve    ☐ Request changes\nComment: Good");
  expect(await papers.nth(1).innerText()).toMatch(/^☐ Approve {4}☐ Request changes\nComment: _+$/);
  expect(await page.locator(".choices, .comment, .answer-bar").filter({ visible: true }).count()).toBe(0);
});
