import { expect, test } from "vitest";
import { FIELDS, type Field } from "../../src/calendar/row.ts";
import { mapColumns, mapPositions } from "../../src/read/columns.ts";

const fieldsOf = (header: string[], mapping: Record<string, string> = {}): unknown =>
  mapColumns(header, mapping).fields;

test.each([["content"], ["Content"], ["  CONTENT\u00a0"], ["\uFEFFcontent"]])("%j is content", (name) => {
  expect(fieldsOf([name])).toEqual(["content"]);
});

test.each([
  ["scheduled_at"],
  ["Scheduled At"],
  ["scheduled-at"],
  ["SCHEDULED\u00a0 AT"],
  ["publish at"],
  ["Datetime"],
])("%j is scheduled_at", (name) => {
  expect(fieldsOf([name])).toEqual(["scheduled_at"]);
});

test.each([
  ["Caption", "content"],
  ["Image URL", "media"],
  ["networks", "platforms"],
  ["Time Zone", "timezone"],
  ["tz", "timezone"],
])("%j stands for %s", (name, field) => {
  expect(fieldsOf([name])).toEqual([field]);
});

test("a field's own name wins over a synonym, wherever it stands", () => {
  const columns = mapColumns(["Networks", "platforms", "Channel"], {});
  expect(columns.fields).toEqual([undefined, "platforms", undefined]);
  expect(columns.unknown).toEqual([0, 2]);
  expect(columns.duplicates).toEqual([]);
});

test("`Content` and `Date` are no surer than a clear name: teams call other things so", () => {
  expect(mapColumns(["Content", "Caption"], {}).duplicates).toHaveLength(1);
  expect(mapColumns(["Publish Date", "Date"], {}).duplicates).toHaveLength(1);
  expect(fieldsOf(["Content", "Caption"], { content: "ignore" })).toEqual([undefined, "content"]);
  expect(fieldsOf(["Content", "Post"], {})).toEqual(["content", undefined]);
});

test("what is in brackets tells languages apart, not plurals", () => {
  expect(fieldsOf(["Platform(s)", "Caption (EN)"], {})).toEqual(["platforms", "content"]);
  expect(mapColumns(["Caption (EN)", "Caption (FR)"], {}).duplicates).toHaveLength(1);
});

test("the project's own names go first, and match as loosely", () => {
  expect(fieldsOf(["légende", "text"], { " LÉGENDE ": "content" })).toEqual(["content", undefined]);
  expect(fieldsOf(["Post Date"], { post_date: "Scheduled At" })).toEqual(["scheduled_at"]);
  expect(fieldsOf(["date"], { date: "scheduled_at" })).toEqual(["scheduled_at"]);
});

test("two columns for one field are duplicates, and the first counts", () => {
  expect(mapColumns(["Text", "x", "caption"], {})).toMatchObject({
    fields: ["content", undefined, undefined],
    unknown: [1],
    unnamed: [],
    variants: [],
    switches: [],
    ignored: [],
    notCarried: [],
    refused: [],
    accounts: undefined,
    duplicates: [{ column: 2, first: 0, field: "content" }],
  });
  expect(mapColumns(["content", "Legend"], { legend: "content" }).duplicates).toHaveLength(1);
  expect(mapColumns(["date", "Date"], {}).duplicates).toHaveLength(1);
});

test("names that objects inherit mean nothing", () => {
  expect(fieldsOf(["constructor", "__proto__", "toString"])).toEqual([undefined, undefined, undefined]);
});

test("columns without a name are told apart from unknown ones", () => {
  expect(mapColumns(["", "notes", " \u00a0"], {})).toMatchObject({ unknown: [1], unnamed: [0, 2] });
});

test.each<[Field, string[]]>([
  [
    "content",
    ["Légende", "TEXTE", "Beitragstext", "Texto", "Pie de foto", "Testo", "Conteúdo", "Tekst", "Post Copy"],
  ],
  [
    "date",
    [
      "DATE (MONTH/DAY/YEAR)",
      "Datum",
      "Fecha",
      "Data",
      "Date de publication",
      "📅 Publish Date",
      "Data da publicação",
    ],
  ],
  ["time", ["Heure", "Uhrzeit", "Hora", "Ora", "Horário", "Tijd", "Posting Time", " time", "time_24hr"]],
  [
    "scheduled_at",
    [
      "Date/Time",
      "Date & Time",
      "Datum und Uhrzeit",
      "Fecha y hora",
      "postAtSpecificTime (YYYY-MM-DD HH:mm:ss)",
    ],
  ],
  [
    "platforms",
    [
      "Plateforme",
      "Réseaux sociaux",
      "Plattform",
      "Kanäle",
      "Redes sociales",
      "Canale",
      "Redes sociais",
      "Kanaal",
    ],
  ],
  [
    "media",
    [
      "Bild",
      "Visuel",
      "Imagen",
      "Immagine",
      "Imagem",
      "Afbeelding",
      "Media URL(s)",
      "imageUrls (comma-separated)",
      "Picture Url 10",
    ],
  ],
  [
    "timezone",
    ["Fuseau horaire", "Zeitzone", "Zona horaria", "Fuso orario", "Fuso horário", "Tijdzone", "TZ"],
  ],
  ["status", ["Statut", "Estado", "Stato", "Status", "Draft"]],
  ["id", ["Post ID", "Identifiant", "Kennung"]],
])("%s is known by names such as %j", (field, names) => {
  for (const name of names) expect([name, fieldsOf([name])]).toEqual([name, [field]]);
});

test.each([
  "Notes",
  "Day",
  "Tag",
  "Hashtags",
  "Title",
  "Link",
  "Link(s)",
  "Alt text picture 1",
  "Campaign",
  "Caption 2",
  "Account",
  "Approved by",
  "First Comment Text",
  "Facebook",
  "(date)",
  "1",
  "State",
  "Date created",
])("%j stands for no field", (name) => {
  expect(fieldsOf([name])).toEqual([undefined]);
});

test("no name stands for two fields", () => {
  const clear = FIELDS.flatMap((field) => fieldsOf([field]));
  expect(clear).toEqual(FIELDS);
});

test("a clear name wins over a vague one, which is then unknown", () => {
  expect(mapColumns(["Post", "Caption", "Description"], {})).toMatchObject({
    fields: [undefined, "content", undefined],
    unknown: [0, 2],
    duplicates: [],
  });
  expect(fieldsOf(["Post", "date"])).toEqual(["content", "date"]);
});

test("media may have several columns", () => {
  expect(mapColumns(["Image 1", "Image 2", "Video"], {})).toMatchObject({
    fields: ["media", "media", "media"],
    duplicates: [],
  });
  expect(fieldsOf(["media", "Image"])).toEqual(["media", undefined]);
});

test("the project file may say that a column is to be ignored", () => {
  expect(mapColumns(["Text", "Caption", "Notes"], { text: "Ignore", notes: "ignore" })).toMatchObject({
    fields: [undefined, "content", undefined],
    variants: [],
    switches: [],
    ignored: [0, 2],
    unknown: [],
    duplicates: [],
  });
});

test("of two header rows, the mapping may name the group too", () => {
  const groups = ["All", "Facebook", "Pinterest"];
  const mapping = { "Facebook title": "content", title: "ignore" };
  expect(mapColumns(["date", "title", "title"], mapping, groups)).toMatchObject({
    fields: ["date", "content", undefined],
    variants: [],
    switches: [],
    ignored: [2],
  });
});

test("positions are numbers from 1, or letters as in a spreadsheet", () => {
  expect(
    mapPositions({ 2: "content", D: "scheduled_at", AA: "media", C: "ignore", Caption: "id", 0: "id" }),
  ).toMatchObject({
    fields: [undefined, "content", undefined, "scheduled_at", ...Array.from({ length: 22 }), "media"],
    unknown: [],
    unnamed: [0, ...Array.from({ length: 22 }, (_, index) => index + 4)],
    variants: [],
    switches: [],
    ignored: [2],
    notCarried: [],
    refused: [],
    accounts: undefined,
    duplicates: [],
  });
  expect(mapPositions({ 1: "content", A: "content", B: "content" }).duplicates).toHaveLength(1);
});
