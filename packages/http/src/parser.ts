import type { Socket } from "node:net";

/** Node's private HTTP parser. `onIncoming` returns how to read on after a head. Callbacks have numeric keys. */
export interface Parser {
  onIncoming: () => number;
  [callback: number]: unknown;
}

export interface ParsedSocket extends Socket {
  /** Null once the connection is closed. */
  readonly parser?: Parser | null;
}

/** Finds the parser's callback by the name of its function; undefined once the connection is closed. */
export function parserCallback({ parser }: ParsedSocket, name: string) {
  if (!parser) return undefined;
  for (const [number, callback] of Object.entries(parser)) {
    if (typeof callback === "function" && callback.name === name) {
      return { parser, number: Number(number), callback: callback as (...given: unknown[]) => unknown };
    }
  }
  return undefined;
}
