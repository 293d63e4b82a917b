import { expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/read/csv/read-csv.ts";

function read(header: string, rows: readonly string[], options = {}) {
  const text = [`date,${header}`, ...rows.map((row) => `2036-03-01,${row}`), ""].join("\n");
  const { rows: found, problems } = readCsv("a.csv", text, { columns: {}, ...options });
  return {
    contents: found.map(({ cells }) => cells.content),
    codes: problems.map(({ code }) => code),
    messages: problems.map(({ message }) => message).join("\n"),
  };
}

test("appends a column to the text, as a separate paragraph", () => {
  const columns = { Hashtags: "content+", CTA: "content+" };
  const { contents, codes } = read(
    "content,Hashtags,CTA,media",
    ["Hello,#a #b,Call us,", "Hi,,,", ",#a,,a.png", ",#a,,"],
    { columns },
  );
  expect(contents).toEqual(["Hello\n\n#a #b\n\nCall us", "Hi", "#a", undefined]);
  expect(codes).toEqual([]);
});

test("writes plain words under Hashtags as hashtags, and nothing else", () => {
  const columns = { Hashtags: "content+", CTA: "content+" };
  const rows = [`Hello,"spring, été;春",Call`, `Hi,"two words, #one"`, "Hey,spring été"];
  const { contents } = read("content,Hashtags,CTA", rows, { columns });
  const tags = "#spring #été";
  expect(contents).toEqual([`Hello\n\n${tags} #春\n\nCall`, "Hi\n\ntwo words, #one", `Hey\n\n${tags}`]);
});

test("appends nothing to a row that waits for its text", () => {
  const { contents } = read("content,prompt,media,Hashtags", [",Write about spring,a.png,#a"], {
    columns: { Hashtags: "content+" },
  });
  expect(contents).toEqual([undefined]);
});

test("names filled columns that are not published, with their counts and a line to paste", () => {
  const { codes, messages } = read("content,Hashtags,utm_link,CTA,Notes", [
    "Hello,#a,https://a.example,,x",
    "Hi,#b,,,",
  ]);
  expect(codes).toEqual(["csv/left-out", "csv/unknown-column"]);
  expect(messages).toContain("`Hashtags` (2 rows), `utm_link` (1 row)");
  expect(messages).toContain("`columns: { Hashtags: content+, utm_link: content+ }`");
  expect(messages).toContain("ignores these columns: `CTA`, `Notes`.");
});

test("counts all cells of a long column, also where equal cells are far apart", () => {
  const rows = Array.from(
    { length: 900 },
    (_none, index) => `Hello ${index},${index % 3 === 0 ? "@shop" : `@shop_${index % 300}`},#tag${index}`,
  );
  const { messages } = read("content,account,Hashtags", rows);
  expect(messages).toContain('"@shop" (300 rows), "@shop_1" (3 rows)');
  expect(messages).toContain("`Hashtags` (900 rows)");
});

test("refuses media without a text column where a filled column may hold the text, by its name or its cells", () => {
  const { codes, messages } = read("media,Concept,COPY / HASHTAGS", [
    "a.png,Myths,Three myths about sunscreen",
    "b.png,Trends,Bring your bottle back",
  ]);
  expect(codes).toEqual(["csv/missing-header", "csv/unknown-column"]);
  expect(messages).toContain('`columns: { "COPY / HASHTAGS": content }`');
  expect(read("media,Words", ["a.png,Three myths about sunscreen"]).codes).toContain("csv/missing-header");
  expect(read("media,Words", ["a.png,120", "b.png,"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("media,Concept", ["a.png,", "b.png,"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("media,Concept", ["a.png,Myths"], { columns: { Concept: "ignore" } }).codes).toEqual([]);
  expect(read("media,content,Concept", ["a.png,Hi,Myths of our time"]).codes).toEqual(["csv/unknown-column"]);
});

test("refuses rows of several accounts, and says how to continue", () => {
  const rows = ["Bonjour,@shop_fr", "Salut,@SHOP_FR", "Hello,@shop_en"];
  const { codes, messages } = read("content,account", rows);
  expect(codes).toEqual(["csv/several-accounts"]);
  expect(messages).toContain('"@shop_fr" (2 rows), "@shop_en" (1 row)');
  expect(messages).toContain('`only: { account: "@shop_fr" }`');
  expect(messages).toContain("`columns: { account: accounts }`");
  expect(read("content,account", rows, { columns: { account: "ignore" } }).codes).toEqual([]);
  expect(read("content,account", rows, { keep: ["account"] }).codes).toEqual([]);
  expect(read("content,account", rows.slice(0, 2)).codes).toEqual(["csv/unknown-column"]);
});

test.each([
  "Marke",
  "Kunde",
  "Marque",
  "Cliente",
  "Profiel",
  "Konto",
  "الحساب",
  "アカウント",
  "Page",
  "Brand name",
])("knows %j as the name of an account", (name) => {
  expect(read(`content,${name}`, ["Hello,a", "Hi,b"]).codes).toEqual(["csv/several-accounts"]);
});

test("refuses a yes-or-no column about publishing that has no meaning", () => {
  const { codes, messages } = read("content,Post on site", ["Hello,yes", "Hi,no", "Hey,"]);
  expect(codes).toEqual(["csv/unclear-question"]);
  expect(messages).toContain("`Post on site: status:ready`");
  expect(read("content,Post on site", ["Hello,yes", "Hi,later"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Post number", ["Hello,1"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Sponsored", ["Hello,yes"]).codes).toEqual(["csv/unknown-column"]);
});

test("warns about a vague name if no other column has a clearer one", () => {
  const { codes, messages, contents } = read("title,description", ["A,Hello"]);
  expect(contents).toEqual(["Hello"]);
  expect(codes).toEqual(["csv/unknown-column", "csv/vague-name"]);
  expect(messages).toContain("`columns: { description: content }`");
  expect(read("caption,description", ["Hello,x"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("description", ["Hello"], { columns: { description: "content" } }).codes).toEqual([]);
});

test("refuses media without a text where the column for the text is blank, and another one is filled", () => {
  const { codes, messages } = read("content,Post idea,platforms,media", [",Hello,x,a.png", ",Hi,x,b.png"]);
  expect(codes).toContain("csv/missing-header");
  expect(messages).toContain("The column for `content` is blank throughout");
  expect(messages).toContain("`columns: { Post idea: content }`");
  expect(read("content,Post idea,platforms,media", ["Hi,Hello,x,a.png", ",Hi,x,b.png"]).codes).not.toContain(
    "csv/missing-header",
  );
});

test("refuses to ignore the only column of networks or pictures in a table", () => {
  const marks = read("content,LinkedIn,X", ["Hello,x,", "Hi,x,x"]);
  expect(marks.codes).toEqual(["csv/unused-column", "csv/unused-column"]);
  expect(marks.messages).toContain("`LinkedIn: platforms:linkedin`");
  expect(marks.messages).toContain("`X: content:twitter`");
  const pictures = read("content,platforms,Asset name", ["Hello,x,a.png", 'Hi,x,"b.jpg, c.MP4"']);
  expect(pictures.codes).toEqual(["csv/unused-column"]);
  expect(pictures.messages).toContain("`columns: { Asset name: media }`");
  const names = read("content,Where", ["Hello,LinkedIn & X", "Hi,IG"]);
  expect(names.codes).toEqual(["csv/unused-column"]);
  expect(read("content,Where", ["Hello,LinkedIn + Insta", "Hi,Newsletter"]).codes).toEqual([
    "csv/unused-column",
  ]);
  expect(read("content,Pillar", ["Hello,Blog", "Hi,Newsletter"]).codes).toEqual(["csv/unknown-column"]);
  expect(names.messages).toContain("`columns: { Where: platforms }`");
  expect(read("content,Where", ["Hello,LinkedIn", "Hi,on the roof"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,platforms,LinkedIn,Where", ["Hello,linkedin,our page,IG"]).codes).toEqual([
    "csv/unknown-column",
  ]);
});

test.each([
  ["Klockslag", ["09:30", "18.00"], "`columns: { Klockslag: time }`"],
  ["Region", ["ET", "PT"], "`columns: { Region: timezone }`"],
  ["Where", ["Europe/Paris", "Asia/Tokyo"], "`columns: { Where: timezone }`"],
  ["Half", ["PM", "a.m."], "`columns: { Half: time+ }`"],
  ["X (280)", ["Short.", "Shorter."], '`"X (280)": content:twitter`'],
])("refuses to ignore %s, whose cells change when or where a post goes", (name, [first, second], way) => {
  const { codes, messages } = read(`content,${name}`, [`Hello,${first}`, `Hi,${second}`]);
  expect(codes).toEqual(["csv/unused-column"]);
  expect(messages).toContain(way);
});

test("other columns of times count as notes, and so do columns with the project's zone or one short word", () => {
  expect(read("content,time,Shoot time", ["Hello,09:00,07:00"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Länge", ["Hello,0:30", "Hi,long"]).codes).toEqual(["csv/unknown-column"]);
  const timed = "date,content,Shoot\n2036-03-01 09:00,Hello,07:00\n";
  expect(readCsv("a.csv", timed, { columns: {} }).problems.map(({ code }) => code)).toEqual([
    "csv/unknown-column",
  ]);
  expect(read("content,Zone", ["Hello,CET"], { timezone: "Europe/Berlin" }).codes).toEqual([
    "csv/unknown-column",
  ]);
  expect(read("content,Audience", ["Hello,PT", "Hi,PT"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Audience", ["Hello,UK", "Hi,AT"]).codes).toEqual(["csv/unknown-column"]);
});

test("a day of the week in another column must match the date", () => {
  // 1 March 2036 is a Saturday.
  const { codes, messages } = read("content,Day", ["Hello,Sat", "Hi,Sunday", "Ho,"]);
  expect(codes).toEqual(["schedule/weekday"]);
  expect(messages).toContain('"Sunday" contradicts the date: 1 March 2036 is a Saturday.');
  expect(read("content,Day", ["Hello,Saturday", "Hi,sam."]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Day", ["Hello,Sunday", "Hi,Sale"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Day", ["Hello,Sunday"], { columns: { Day: "ignore" } }).codes).toEqual([]);
});

test.each([
  ["Live", ["Yes", "No", ""]],
  ["Final", ["1", "0", ""]],
  ["Checked", ["x", "", ""]],
  ["Uploaded", ["TRUE", "FALSE", "TRUE"]],
  ["In Buffer?", ["Yes", "No", "No"]],
  ["Published on", ["2036-03-01", "", ""]],
  ["Approved on", ["3/1/2036", "4/1/2036", ""]],
  ["Geprüft", ["ja", "nein", ""]],
  ["Vérifié", ["oui", "", ""]],
  ["Revisado", ["sí", "no", ""]],
  ["確認", ["○", "", ""]],
])("asks what %s means, whose cells are yes, no or dates", (name, cells) => {
  const { codes, messages } = read(
    `content,${name}`,
    cells.map((cell) => `Hello,${cell}`),
  );
  expect(codes).toEqual(["csv/unclear-question"]);
  expect(messages).toContain("status:skip");
  expect(
    read(
      `content,${name}`,
      cells.map((cell) => `Hello,${cell}`),
      { columns: { [name]: "ignore" } },
    ).codes,
  ).toEqual([]);
});

test("a date in a mapped column means yes", () => {
  const columns = { "Approved on": "status:ready" };
  const { codes } = read("content,Approved on", ["Hello,2036-03-01", "Hi,"], { columns });
  expect(codes).toEqual([]);
});

test.each([
  ["Client feedback", ["Approved", "Please change"]],
  ["Decision", ["Go ahead", "Wait for legal", "Wait for legal"]],
  ["Rückmeldung", ["passt", "bitte ändern"]],
])("asks whether %s is the status, because it has only a few words", (name, cells) => {
  const { codes, messages } = read(
    `content,${name}`,
    cells.map((cell) => `Hello,${cell}`),
  );
  expect(codes).toEqual(["csv/unused-column"]);
  expect(messages).toContain(`\`columns: { ${name}: status }\``);
});

test.each([
  ["Reviewed by", ["Ann", "Ben", "Ann"]],
  ["Freigabe durch", ["Ann", "Ann", ""]],
  ["Approved by", ["Ann", "Ben", "Ann"]],
  ["Pillar", ["Live", "Tips", "News"]],
  ["Approval due", ["2036-02-01", "2036-02-02", ""]],
  ["Final copy link", ["https://a.example", "https://b.example", ""]],
  ["Final image", ["https://a.example/a.png", "", ""]],
  ["Review notes", ["Please check the opening hours with Ann", "Fine", ""]],
  ["Goal", ["Reach", "Sales", "Reach"]],
  ["Category", ["Tips", "News", "Tips"]],
  ["Sponsored", ["yes", "no", ""]],
])("does not stop at %s", (name, cells) => {
  const { codes } = read(
    `content,media,${name}`,
    cells.map((cell) => `Hello,own.png,${cell}`),
  );
  expect(codes).toEqual(["csv/unknown-column"]);
});

test.each([
  ["Hook", ["Nobody reads menus.", ""], "`columns: { Hook: content, content: content+, CTA: content+ }`"],
  ["Gancho", ["Ya abrimos", ""], "`columns: { Gancho: content, content: content+, CTA: content+ }`"],
  ["Creative link", ["https://drive.google.com/file/d/1/view", ""], "Download the files"],
  ["Design", ["https://www.canva.com/design/D/view", ""], "Download the files"],
  ["Photo page", ["https://pictures.example/1", ""], "`columns: { Photo page: media }`"],
  ["Repost date", ["2036-06-03", ""], "copy its row"],
  ["Date 2", ["2036-06-03", ""], "copy its row"],
])("stops at %s, because posts would be incomplete without it", (name, cells, way) => {
  const { codes, messages } = read(
    `content,media,CTA,${name}`,
    cells.map((cell) => `Hello,,Call us,${cell}`),
  );
  expect(codes).toContain("csv/unused-column");
  expect(messages).toContain(way);
});

test.each([
  ["Hook", "", "ignores this column"],
  ["Creative link", "https://drive.google.com/file/d/1/view", "holds 1 web address"],
  ["Brief", "https://docs.google.com/document/d/1", "holds 1 web address"],
  ["Repost date", "maybe", "ignores this column"],
])("does not stop at %s with %j, where nothing is lost", (name, cell, message) => {
  const { codes, messages } = read(`content,media,${name}`, [`Hello,own.png,${cell}`]);
  expect(codes).toEqual(["csv/unknown-column"]);
  expect(messages).toContain(message);
});

test("joins the parts of a text, also if the first one is blank", () => {
  const columns = { Hook: "content", Body: "content+", CTA: "content+" };
  const rows = ["One.,Two.,Three.", "One.,,", ",Two.,Three.", ",,Three."];
  const { contents, codes } = read("Hook,Body,CTA", rows, { columns });
  expect(contents).toEqual(["One.\n\nTwo.\n\nThree.", "One.", "Two.\n\nThree.", undefined]);
  expect(codes).toEqual([]);
});

test.each([
  ["Type", ["Story", "Post"], '`only: { Type: ["Post"] }`'],
  ["Post type", ["Reel", "Reel"], "give these rows the status skip"],
  ["Instagram format", ["Carousel", "Story"], '`only: { Instagram format: ["Carousel"] }`'],
  ["Beitragsart", ["Umfrage", "Bild"], '`only: { Beitragsart: ["Bild"] }`'],
])("asks about rows of %s that are not ordinary posts", (name, [first, second], way) => {
  const { codes, messages } = read(`content,${name}`, [`Hello,${first}`, `Hi,${second}`]);
  expect(codes).toEqual(["csv/unused-column"]);
  expect(messages).toContain(way);
  expect(messages).toContain(`\`columns: { ${name}: ignore }\``);
  expect(read(`content,${name}`, ["Hello,Image", "Hi,Carousel"]).codes).toEqual(["csv/unknown-column"]);
});

test.each([
  "FB Page",
  "LinkedIn account",
  "Company",
  "Brand page",
  "Language",
  "Market",
  "Langue",
  "Sprache",
  "País",
])("asks about several values of %s", (name) => {
  expect(read(`content,platforms,${name}`, ["Hello,x,a", "Hi,x,b"]).codes).toEqual(["csv/several-accounts"]);
  expect(read(`content,platforms,${name}`, ["Hello,x,a", "Hi,x,a"]).codes).toEqual(["csv/unknown-column"]);
});

test.each(["Caption FR", "French caption", "Texte (anglais) EN", "Copy - Deutsch"])(
  "asks about %s beside the text",
  (name) => {
    const { codes, messages } = read(`content,${name}`, ["Hello,Salut"]);
    expect(codes).toEqual(["csv/unused-column"]);
    expect(messages).toContain("content: ignore");
  },
);

test("proposes one of several languages if no column has the text", () => {
  const { codes, messages } = read("Texte FR,Texte EN", ["Salut,Hello"]);
  expect(codes).toContain("csv/missing-header");
  expect(messages).toContain("`columns: { Texte FR: content, Texte EN: ignore }`");
  const media = read("caption_fr,caption_en,media", ["Salut,Hello,a.png"]);
  expect(media.codes).toContain("csv/missing-header");
  expect(media.messages).toContain("plancast would publish the media without a text");
  expect(read("content,post_at", ["Hello,soon"]).codes).toEqual(["csv/unknown-column"]);
});

test("a single cell such as Cancelled is enough to stop, even beside a column of approval", () => {
  const notes = read("content,Notes", ["Hello,ask Ann", "Hi,DO NOT POST", "Hey,"]);
  expect(notes.codes).toEqual(["csv/unused-column"]);
  expect(notes.messages).toContain('"DO NOT POST"');
  const beside = read("content,Approved,Go / No go", ["Hello,yes,Go", "Hi,yes,No go"]);
  expect(beside.codes).toEqual(["csv/unused-column"]);
  expect(read("content,status,Notes", ["Hello,ready,Cancelled"]).codes).toEqual(["csv/unknown-column"]);
  expect(read("content,Remove?", ["Hello,Yes", "Hi,"]).codes).toEqual(["csv/unclear-question"]);
});

test("a column that mentions networks prevents the default network", () => {
  const where = read("content,Where", ["Hello,LinkedIn only", "Hi,All except X", "Ho,everywhere"]);
  expect(where.codes).toEqual(["csv/unused-column"]);
  expect(where.messages).toContain("`columns: { Where: platforms }`");
  expect(read("content,Where,platforms", ["Hello,LinkedIn only,linkedin"]).codes).toEqual([
    "csv/unknown-column",
  ]);
  expect(read("content,Notes", ["Hello,Ann x Ben", "Hi,boost it", "Ho,LinkedIn too"]).codes).toEqual([
    "csv/unknown-column",
  ]);
});

test.each([
  ["Revised text", ["Hello from all of us today", ""]],
  ["Text 2", ["And a second text for you", "More of this for you"]],
  ["Überarbeiteter Text", ["Hallo von uns allen heute", ""]],
])("asks about the text in %s", (name, cells) => {
  const { codes, messages } = read(
    `text,${name}`,
    cells.map((cell) => `Hello,${cell}`),
  );
  expect(codes).toEqual(["csv/unused-column"]);
  expect(messages).toContain(`\`columns: { text: ignore, ${name}: content }\``);
  expect(read(`text,${name}`, ["Hello,yes", "Hi,"]).messages).not.toContain("another text");
});

test("asks about a column of rules for rows that repeat", () => {
  const { codes, messages } = read("content,Frequency", ["Hello,Weekly", "Hi,Once", "Ho,jeden Montag"]);
  expect(codes).toEqual(["csv/unused-column"]);
  expect(messages).toContain("`columns: { Frequency: repeat }`");
  for (const others of [
    ["Once", "Once"],
    ["Weekly", "2 a week"],
    ["Monday", "Tuesday"],
  ])
    expect(
      read(
        "content,Frequency",
        others.map((cell) => `Hello,${cell}`),
      ).codes,
    ).not.toContain("csv/unused-column");
});

test("a column named after the time prevents the default time", () => {
  const slots = read("content,Time slot", ["Hello,9-10", "Hi,Morning"]);
  expect(slots.codes).toEqual(["csv/unused-column"]);
  expect(slots.messages).toContain("`columns: { Time slot: time }`");
  expect(read("content,time,Time slot", ["Hello,09:00,9-10"]).codes).toEqual(["csv/unknown-column"]);
});

test.each([
  ["Live link", "https://x.com/acme/status/1", "csv/unclear-question"],
  ["Lien publié", "https://x.com/acme/status/1", "csv/unclear-question"],
  ["Permalink", "https://x.com/acme/status/1", "csv/unclear-question"],
  ["Reference", "https://x.com/acme/status/1", "csv/unknown-column"],
  ["New date", "2036-03-09", "csv/unused-column"],
  ["Rescheduled to", "2036-03-09", "csv/unused-column"],
  ["Neues Datum", "9. März 2036", "csv/unused-column"],
  ["Updated date", "2036-03-09", "csv/unknown-column"],
  ["New date", "maybe", "csv/unknown-column"],
  ["Not on", "Facebook, X", "csv/unused-column"],
  ["Sauf", "Facebook", "csv/unused-column"],
  ["Seen on", "Facebook", "csv/unknown-column"],
  ["Not on", "the blog", "csv/unknown-column"],
])("judges the column %j with %j: %s", (name, cell, code) => {
  const { codes } = read(`content,platforms,${name}`, [`Hello,"x, facebook","${cell}"`, "Hi,x,"]);
  expect(codes).toEqual([code]);
});

test("a row with an address is already published if the project says so", () => {
  const text = "date,content,Live link\n2036-03-01,a,https://x.com/1\n2036-03-02,b,\n";
  const { rows, problems } = readCsv("a.csv", text, { columns: { "live link": "status:skip" } });
  expect(problems).toEqual([]);
  expect(rows.map(({ cells }) => cells.status)).toEqual([["skip"], undefined]);
});
