import type { Writable } from "node:stream";

/** A stream that may be a terminal. */
export type Sink = Writable & { readonly isTTY?: boolean };
