import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { type PDFDocument, PDFName, PDFString } from "pdf-lib";
import { inspectPdf } from "../src/inspect-pdf.ts";
import { newReviewer } from "../testing/index.ts";
import { PACKINGS, UNUSUAL_PACKINGS, withPackedUpdate } from "./kit/packed-update.ts";

const PASSPORT = readFileSync(join(import.meta.dirname, "../../../docs/examples/passport.pdf"));

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

type Edit = (pdf: PDFDocument) => unknown;
const ACTIONS = {
  script: { S: "JavaScript", JS: PDFString.of("app.alert(1)") },
  launch: { S: "Launch", F: PDFString.of("calc.exe") },
  submit: { S: "SubmitForm", F: PDFString.of("http://192.0.2.1/") },
  otherFile: { S: "GoToR", F: PDFString.of("\\\\evil\\share"), D: [0, "Fit"] },
  thread: { S: "Thread", F: PDFString.of("\\\\evil\\share\\x.pdf"), D: 0 },
  fileInside: { S: "GoToE", T: { R: "C", N: PDFString.of("x.pdf") } },
  scriptAddress: { S: "URI", URI: PDFString.of("javascript:app.alert(1)") },
  chain: { S: "URI", URI: PDFString.of("https://example.org/"), Next: [{ S: "Launch", F: PDFString.of("calc.exe") }] },
  print: { S: "Named", N: "Print" },
  data: { S: "ImportData", F: PDFString.of("x.fdf") },
  sound: { S: "Sound", Sound: {} },
  film: { S: "Movie", T: PDFString.of("x") },
  rendition: { S: "Rendition", OP: 0 },
  view3D: { S: "GoTo3DView", V: "D" },
  media: { S: "RichMediaExecute", CMD: { C: PDFString.of("play") } },
};
const ADDRESS = { S: "URI", URI: PDFString.of("https://example.org/") };
const PLACE = { S: "GoTo", D: [0, "Fit"] };
type Action = keyof typeof ACTIONS;

const inCatalogue =
  (entries: (pdf: PDFDocument) => object): Edit =>
  (pdf) => {
    for (const [key, value] of Object.entries(entries(pdf))) pdf.catalog.set(PDFName.of(key), pdf.context.obj(value));
  };
const atOpening = (action: Action) => inCatalogue(() => ({ OpenAction: ACTIONS[action] }));
const onPage =
  (key: string, value: (pdf: PDFDocument) => object): Edit =>
  (pdf) =>
    pdf.getPage(0).node.set(PDFName.of(key), pdf.context.obj(value(pdf) as never));
const ofThePage = (action: Action) => onPage("AA", () => ({ O: ACTIONS[action] }));
const annotated = (subtype: string, entries: (pdf: PDFDocument) => object = () => ({})) =>
  onPage("Annots", (pdf) => [
    pdf.context.register(pdf.context.obj({ Type: "Annot", Subtype: subtype, Rect: [0, 0, 9, 9], ...entries(pdf) })),
  ]);
const linked = (action: Action) =>
  annotated("Link", ({ context }) => ({ A: context.register(context.obj(ACTIONS[action])) }));
const attached: Edit = (pdf) => pdf.attach(Buffer.from("MZ"), "tool.exe");
const file = ({ context }: PDFDocument) => ({
  Type: "Filespec",
  F: PDFString.of("tool.exe"),
  EF: { F: context.register(context.stream("MZ")) },
});
const drawn = (entries: Record<string, unknown>) =>
  onPage("Resources", ({ context }) => ({ XObject: { X: context.register(context.stream("", entries as never)) } }));
const elsewhere = { Type: "Filespec", FS: "URL", F: PDFString.of("file:///etc/passwd") };
const untyped = { F: PDFString.of("\\\\evil\\x.tif") };
const FORM = { Type: "XObject", Subtype: "Form", BBox: [0, 0, 9, 9] };
const model = ({ context }: PDFDocument) => {
  const OnInstantiate = context.register(context.stream("app.alert(1)"));
  return { "3DD": context.register(context.stream("U3D", { Type: "3D", Subtype: "U3D", OnInstantiate })) };
};

const EDITS: readonly (readonly [string, Edit])[] = [
  ...(["script", "launch", "otherFile", "thread", "fileInside", "chain"] as const).map(
    (action) => ["active_content", atOpening(action)] as const,
  ),
  ...(Object.keys(ACTIONS) as Action[]).map((action) => ["active_content", linked(action)] as const),
  ...[ADDRESS, { ...PLACE, Next: ADDRESS }].map(
    (action) => ["active_content", inCatalogue(() => ({ OpenAction: action }))] as const,
  ),
  ["active_content", inCatalogue(({ context }) => ({ OpenAction: context.register(context.obj(ADDRESS)) }))],
  ...(["3D", "Movie", "Sound", "RichMedia"] as const).map((subtype) => ["active_content", annotated(subtype)] as const),
  ["active_content", annotated("Link", model)],
  ["active_content", drawn({ ...FORM, Ref: { F: elsewhere, Page: 0 } })],
  ["active_content", drawn({ ...FORM, Ref: { F: untyped, Page: 0 } })],
  ["active_content", drawn({ ...FORM, OPI: { "2.0": untyped } })],
  ["active_content", drawn({ ...FORM, Subtype: "PS" })],
  ["active_content", drawn({ ...FORM, Subtype2: "PS" })],
  ["active_content", inCatalogue(() => ({ AF: [elsewhere] }))],
  ["active_content", inCatalogue(() => ({ Names: { AlternatePresentations: {} } }))],
  ["active_content", (pdf) => pdf.addJavaScript("main", "app.alert(1)")],
  ["active_content", ofThePage("script")],
  ["active_content", inCatalogue(() => ({ AA: { WC: ACTIONS.submit } }))],
  ["active_content", inCatalogue(() => ({ Outlines: { First: { A: ACTIONS.launch } } }))],
  ["active_content", inCatalogue(() => ({ AcroForm: { Fields: [{ FT: "Tx", AA: { C: ACTIONS.script } }] } }))],
  ["embedded_files", attached],
  ["embedded_files", annotated("FileAttachment", (pdf) => ({ FS: file(pdf) }))],
  ["embedded_files", inCatalogue((pdf) => ({ AF: [file(pdf)] }))],
  ["embedded_files", onPage("AF", (pdf) => [file(pdf)])],
];
const HARMLESS: readonly (readonly [string, Edit])[] = [
  ["nothing", () => undefined],
  ["a link", annotated("Link", () => ({ A: ADDRESS }))],
  [
    "a link in a file that begins at a place",
    (pdf) => {
      annotated("Link", () => ({ A: ADDRESS }))(pdf);
      inCatalogue(() => ({ OpenAction: [0, "Fit"] }))(pdf);
    },
  ],
  [
    "what changes the view alone",
    annotated("Link", () => ({ A: ["Hide", "ResetForm", "SetOCGState", "Trans", "GoToDp"].map((S) => ({ S })) })),
  ],
  ["a note", annotated("Text")],
  ["an empty page", onPage("Empty", ({ context }) => context.register(context.stream("", { Filter: "FlateDecode" })))],
  ["articles", inCatalogue(({ context }) => ({ Threads: [{ Type: "Thread", F: context.register(context.obj({})) }] }))],
  ["an element that refers to others", inCatalogue(() => ({ StructTreeRoot: { K: { S: "P", Ref: [{}] } } }))],
  ["a turning page", onPage("Trans", () => ({ S: "Fade" }))],
  [
    "notes of its program",
    onPage("PieceInfo", () => ({ Program: { LastModified: PDFString.of("D:2026"), Private: {} } })),
  ],
  ["a view to begin with", inCatalogue(() => ({ OpenAction: PLACE }))],
];

type FaultOf = (content: Buffer) => Promise<string>;

/** What the first look at a file says, which decides on all of this. */
const firstSight: FaultOf = (content) =>
  inspectPdf(content).then(
    () => "read",
    (error: unknown) => (error as { readonly fault: string }).fault,
  );

/** What the process says that reads it. */
const reading: FaultOf = async (content) => {
  const read = await reviewer.read(content, "application/pdf");
  return read.outcome === "faulty" ? read.fault : read.outcome;
};

async function faultsOf(edits: typeof EDITS, pack: (typeof PACKINGS)[string], faultOf: FaultOf) {
  const faults: string[] = [];
  for (const [, edit] of edits) faults.push(await faultOf(await withPackedUpdate(PASSPORT, edit, pack)));
  return faults;
}

describe("a passport with an update of its objects", () => {
  test.each(Object.entries(PACKINGS))("packed %s is refused for scripts, actions and files", async (_, pack) => {
    expect(await faultsOf(EDITS, pack, firstSight)).toStrictEqual(EDITS.map(([fault]) => fault));
  });

  test("is refused so by the process that reads it", async () => {
    const pack = PACKINGS.deflated as (typeof PACKINGS)[string];
    expect(await faultsOf(EDITS, pack, reading)).toStrictEqual(EDITS.map(([fault]) => fault));
  });

  test.each(Object.entries(UNUSUAL_PACKINGS))("packed %s is damaged", async (_, pack) => {
    expect(await faultsOf([["damaged", () => undefined]], pack, reading)).toStrictEqual(["damaged"]);
  });

  test.each(["not at all", "deflated", "without a type"])("packed %s that does nothing is read", async (how) => {
    const pack = PACKINGS[how] as (typeof PACKINGS)[string];
    expect(await faultsOf(HARMLESS, pack, firstSight)).toStrictEqual(HARMLESS.map(() => "read"));
    const all: Edit = (pdf) => {
      for (const [, edit] of HARMLESS) edit(pdf);
    };
    expect(await faultsOf([["all", all]], pack, reading)).toStrictEqual(["read"]);
  });
});
