import { once } from "node:events";
import os from "node:os";
import { Worker } from "node:worker_threads";
import { readDocument } from "../read-document.ts";
import { TesseractOcrEngine } from "../scan/ocr-engine.ts";
import type { ReadRequest, ReadResponse } from "./messages.ts";

/** Bytes this process may have, all of its memory: pictures are not in the heap of JavaScript. */
const mostMemory = Number(process.argv[2]);
/** Requests go first (as `nice` counts). */
os.setPriority(5);
const eyes = new TesseractOcrEngine();

const watchdog = new Worker(new URL("./watchdog.ts", import.meta.url), { workerData: { mostMemory } });
const watching = once(watchdog, "message");
watchdog.unref();

async function answer({ id, content, contentType }: ReadRequest): Promise<ReadResponse> {
  try {
    // Nothing is opened unwatched.
    await watching;
    return { id, reading: await readDocument(Buffer.from(content), contentType, eyes) };
  } catch (error) {
    // Only the kind of failure: a message may quote the document.
    return { id, failed: error instanceof Error ? error.name : "Error" };
  }
}

process.on("message", (request: ReadRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
process.on("disconnect", () => process.exit());
