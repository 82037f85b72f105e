import fs from "node:fs";

/** One line of the proxy's request log: a request that failed. */
export interface ProxyFailure {
  readonly service: "proxy";
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whose it was. */
  readonly to: string;
}

export function readFailures(file: string): readonly ProxyFailure[] {
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
