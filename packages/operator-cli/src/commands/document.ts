import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { listIndex, userPath } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";

const pathOf = (id: string) => `/operator/documents/${encodeURIComponent(id)}`;

export const documentCommands: readonly Command[] = [
  {
    name: "document list",
    arguments: [],
    options: {},
    summary: "travel documents that wait for their review, oldest first",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", "/operator/documents")));
    },
  },
  {
    name: "document verify",
    arguments: ["ID"],
    options: {
      kind: { value: "passport|visa|identity_card", required: false },
      passenger: { value: "N", required: false },
    },
    summary: "a document is what it should be: the passenger's in this place, from 0, or the first one's who needs it",
    async run({ client, output, argument, optional }) {
      const kind = optional("kind");
      const passenger = optional("passenger");
      const body = {
        ...(kind !== undefined && { kind }),
        ...(passenger !== undefined && { passenger: listIndex(passenger, "--passenger") }),
      };
      await output.value(row(await client.request("POST", `${pathOf(argument("ID"))}/verify`, body)));
    },
  },
  {
    name: "document reject",
    arguments: ["ID"],
    options: { reason: { value: "R", required: true } },
    summary: "refuse a document; its owner reads the reason",
    async run({ client, output, argument, option }) {
      const body = { reason: option("reason") };
      await output.value(row(await client.request("POST", `${pathOf(argument("ID"))}/reject`, body)));
    },
  },
  {
    name: "document download",
    arguments: ["ID", "FILE"],
    options: {},
    summary: "write a document's file to a new file, to look at it",
    async run({ client, output, argument }) {
      const path = userPath(argument("FILE"));
      const lines = client.lines("GET", `${pathOf(argument("ID"))}/file`);
      const facts = await lines.next();
      // Nobody else may read a passport, and nothing is written over.
      const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
      await once(file, "open");
      for await (const line of lines) {
        const { base64 } = line as { readonly base64: string };
        if (!file.write(Buffer.from(base64, "base64"))) await once(file, "drain");
      }
      file.end();
      await finished(file);
      await output.value({ ...row(facts.value), path });
    },
  },
];
