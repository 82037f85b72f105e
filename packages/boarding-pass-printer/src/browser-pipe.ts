import type { Readable, Writable } from "node:stream";
import type { ConnectionTransport } from "puppeteer";

const END = "\0";

/** Talks to a browser over the two pipes of `--remote-debugging-pipe`, where each message ends with a zero byte. */
export class BrowserPipe implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #toBrowser: Writable;

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    let parts: Buffer[] = [];
    fromBrowser.on("data", (bytes: Buffer) => {
      let start = 0;
      for (let end = bytes.indexOf(END); end >= 0; end = bytes.indexOf(END, start)) {
        const message = Buffer.concat([...parts, bytes.subarray(start, end)]).toString();
        parts = [];
        start = end + 1;
        this.onmessage?.(message);
      }
      parts.push(bytes.subarray(start));
    });
    fromBrowser.once("close", () => this.onclose?.());
    // Errors of a browser that has ended are ignored, because the pipe from it closes anyway.
    for (const pipe of [toBrowser, fromBrowser]) pipe.on("error", () => undefined);
  }

  send(message: string): void {
    this.#toBrowser.write(`${message}${END}`);
  }

  close(): void {
    this.#toBrowser.destroy();
  }
}
