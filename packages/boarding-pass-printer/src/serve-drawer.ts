import type { Duplex } from "node:stream";
import type { Drawer } from "./drawer.ts";
import { tellFailure } from "./failures.ts";
import { messagesOf, writeMessage } from "./messages.ts";
import type { DrawAnswer, DrawRequest } from "./printer.ts";

/** Nine passes with the longest of everything take 30 kB. */
const MAX_REQUEST_BYTES = 1_048_576;

/** Draws what is asked for on a stream, until that ends. Answers come as soon as they are ready. */
export async function serveDrawer(stream: Duplex, drawer: Pick<Drawer, "draw">): Promise<void> {
  for await (const { value } of messagesOf(stream, MAX_REQUEST_BYTES)) {
    const { id, account, drawing } = value as DrawRequest;
    const answer = (answer: DrawAnswer, file?: Uint8Array) => stream.writable && writeMessage(stream, answer, file);
    drawer.draw(account, drawing).then(
      (file) => answer({ id }, file),
      (error: unknown) => answer({ id, failure: tellFailure(error) }),
    );
  }
}
