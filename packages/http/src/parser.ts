import type { Socket } from "node:net";

/** Node's own. `onIncoming` answers how what follows a head is read; its callbacks have numbers. */
export interface Parser {
  onIncoming: () => number;
  [callback: number]: unknown;
}

export interface ParsedSocket extends Socket {
  /** Null once the connection is closed. */
  readonly parser?: Parser | null;
}

/** What Node's parser calls under this name of the function; undefined once the connection is closed. */
export function parserCallback({ parser }: ParsedSocket, name: string) {
  if (!parser) return undefined;
  for (const [number, callback] of Object.entries(parser)) {
    if (typeof callback === "function" && callback.name === name) {
      return { parser, number: Number(number), callback: callback as (...given: unknown[]) => unknown };
    }
  }
  return undefined;
}
