import { FaultyFile } from "../faulty-file.ts";
import { MAX_PIXELS } from "../image/read-image.ts";
import { isPolyglotFile } from "../polyglot-file.ts";
import { inflateObjectStreams } from "./inflate-streams.ts";
import { type PdfStream, splitPdf, unescapeNames } from "./pdf-objects.ts";

/** What follows the end of a PDF: a line end or two, and padding. */
const MOST_BEHIND_END = 1_024;
const END = "%%EOF";

const ENCRYPTED = /\/Encrypt\b/;
const ACTIVE = /\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|RichMedia|Rendition|XFA)\b/;
const EMBEDDED = /\/(?:EmbeddedFiles?|FileAttachment)\b/;

/** Refuses what is more than pages to look at, before anything is done with it. @throws FaultyFile */
export async function inspectPdf(content: Buffer): Promise<void> {
  const end = content.lastIndexOf(END, undefined, "latin1");
  if (end === -1) throw new FaultyFile("damaged");
  if (isPolyglotFile(content) || content.length - end - END.length > MOST_BEHIND_END) {
    throw new FaultyFile("mixed_formats");
  }
  const { text, streams } = splitPdf(content);
  if (ENCRYPTED.test(text)) throw new FaultyFile("encrypted");
  rejectActiveContent(text);
  refuseLargeImages(streams);
  for (const objects of await inflateObjectStreams(streams)) rejectActiveContent(unescapeNames(objects));
}

function rejectActiveContent(text: string): void {
  if (ACTIVE.test(text)) throw new FaultyFile("active_content");
  if (EMBEDDED.test(text)) throw new FaultyFile("embedded_files");
}

function refuseLargeImages(streams: readonly PdfStream[]): void {
  for (const { dictionary } of streams) {
    if (!/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const size = (side: string) => Number(new RegExp(`/${side}\\s+(\\d+)`).exec(dictionary)?.[1] ?? 0);
    if (size("Width") * size("Height") > MAX_PIXELS) throw new FaultyFile("image_too_large");
  }
}
