import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Command } from "commander";
import { listIndex, pathPart, userPath } from "../arguments.ts";
import { addList } from "../filters.ts";
import { type OperatorSession, row } from "../session.ts";

/** Description of an option. */
export const ORIGINAL = "files as they were uploaded, byte for byte, in place of pictures drawn anew";
export const ORIGINAL_WARNING =
  "What strangers have uploaded may attack the program that opens it: open it where that does no harm.";

/** `document` */
export function addDocumentCommands(program: Command, session: OperatorSession): void {
  const document = program.command("document").description("travel documents and their review");
  addList(document, session, {
    description: "travel documents that wait for their review, oldest first",
    path: "/operator/documents",
    filters: ["status", "account", "since"],
    instead: {
      flag: "--rejected",
      description: "the latest 1,000 that were rejected, with the reason: `document verify` undoes it",
      path: "/operator/documents/rejected",
    },
  });
  document
    .command("show")
    .description("a document: what was read in it, beside the names on its booking")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("GET", `/operator/documents/${id}`));
  document
    .command("verify")
    .description("a document is what it should be")
    .argument("<ID>", "", pathPart)
    .option("--kind <KIND>", "passport, visa or identity_card")
    .option("--passenger <N>", "position in the booking, from 0; the first who needs it without this", listIndex)
    .action((id: string, body: object) => session.show("POST", `/operator/documents/${id}/verify`, body));
  document
    .command("reject")
    .description("refuse a document")
    .argument("<ID>", "", pathPart)
    .requiredOption("--reason <R>", "shown to the document's owner")
    .action((id: string, body: object) => session.show("POST", `/operator/documents/${id}/reject`, body));
  document
    .command("download")
    .description("write a picture of a document, drawn anew, to a new file, to look at it")
    .argument("<ID>", "", pathPart)
    .argument("<FILE>", "", userPath)
    .option("--original", ORIGINAL)
    .action((id: string, file: string, { original }: { original?: true }) => {
      if (original === true) session.output.warn(ORIGINAL_WARNING);
      return download(session, `/operator/documents/${id}/${original === true ? "file" : "picture"}`, file);
    });
}

async function download({ client, output }: OperatorSession, from: string, path: string): Promise<void> {
  const lines = client.lines("GET", from);
  const properties = await lines.next();
  // Only this user may read a passport, and no file is overwritten.
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  await once(file, "open");
  for await (const line of lines) {
    const { base64 } = line as { readonly base64: string };
    if (!file.write(Buffer.from(base64, "base64"))) await once(file, "drain");
  }
  file.end();
  await finished(file);
  await output.value({ ...row(properties.value), path });
}
