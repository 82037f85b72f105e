import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { PDFArray, type PDFDocument, PDFName, PDFString } from "pdf-lib";
import { newReviewer } from "../testing/index.ts";
import { inMisleadingDictionary, PACKINGS, UNUSUAL_PACKINGS, withPackedUpdate } from "./kit/packed-update.ts";

const PASSPORT = readFileSync(join(import.meta.dirname, "../../../docs/examples/passport.pdf"));

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

type Edit = (pdf: PDFDocument) => unknown;
const ACTIONS = {
  script: { S: "JavaScript", JS: PDFString.of("app.alert(1)") },
  launch: { S: "Launch", F: PDFString.of("calc.exe") },
  submit: { S: "SubmitForm", F: PDFString.of("http://192.0.2.1/") },
};

const atOpening =
  (action: keyof typeof ACTIONS): Edit =>
  ({ catalog, context }) =>
    catalog.set(PDFName.of("OpenAction"), context.obj(ACTIONS[action]));
const ofThePage =
  (action: keyof typeof ACTIONS): Edit =>
  (pdf) =>
    pdf.getPage(0).node.set(PDFName.of("AA"), pdf.context.obj({ O: ACTIONS[action] }));
const annotated =
  (subtype: string, entries: (pdf: PDFDocument) => object): Edit =>
  (pdf) => {
    const annotation = { Type: "Annot", Subtype: subtype, Rect: [0, 0, 9, 9], ...entries(pdf) };
    const annotations = PDFArray.withContext(pdf.context);
    annotations.push(pdf.context.obj(annotation));
    pdf.getPage(0).node.set(PDFName.of("Annots"), annotations);
  };
const linked = (action: keyof typeof ACTIONS) => annotated("Link", () => ({ A: ACTIONS[action] }));
const attached: Edit = (pdf) => pdf.attach(Buffer.from("MZ"), "tool.exe");
const clipped = annotated("FileAttachment", ({ context }) => {
  const file = context.register(context.stream("MZ"));
  return { FS: { Type: "Filespec", F: PDFString.of("tool.exe"), EF: { F: file } } };
});

const PARSED: readonly (readonly [string, Edit])[] = [
  ["active_content", atOpening("script")],
  ["active_content", (pdf) => pdf.addJavaScript("main", "app.alert(1)")],
  ["active_content", ofThePage("script")],
  ["active_content", ofThePage("launch")],
  ["active_content", linked("script")],
  ["active_content", linked("launch")],
  ["active_content", linked("submit")],
  ["active_content", annotated("RichMedia", () => ({}))],
  ["embedded_files", attached],
  ["embedded_files", clipped],
];
/** The parser reports nothing about these. */
const UNPARSED: typeof PARSED = [["active_content", atOpening("launch")]];

async function faultsOf(edits: typeof PARSED, pack: (typeof PACKINGS)[string]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [, edit] of edits) faults.push(await faultOf(await withPackedUpdate(PASSPORT, edit, pack)));
  return faults;
}

describe("a passport with an update of its objects", () => {
  const all = [...PARSED, ...UNPARSED];

  test.each(Object.entries(PACKINGS))("packed %s is refused for scripts, actions and files", async (_, pack) => {
    expect(await faultsOf(all, pack)).toStrictEqual(all.map(([fault]) => fault));
  });

  test.each(Object.entries(UNUSUAL_PACKINGS))("packed %s is damaged", async (_, pack) => {
    expect(await faultsOf(all, pack)).toStrictEqual(all.map(() => "damaged"));
  });

  test("is refused for what its parser alone finds in it", async () => {
    expect(await faultsOf(PARSED, inMisleadingDictionary)).toStrictEqual(PARSED.map(([fault]) => fault));
  });

  test.each(["not at all", "deflated", "without a type"])("packed %s that does nothing is read", async (how) => {
    const pack = PACKINGS[how] as (typeof PACKINGS)[string];
    expect(await faultOf(await withPackedUpdate(PASSPORT, () => undefined, pack))).toBe("read");
  });
});

async function faultOf(content: Buffer): Promise<string> {
  const reading = await reviewer.read(content, "application/pdf");
  return reading.outcome === "faulty" ? reading.fault : reading.outcome;
}
