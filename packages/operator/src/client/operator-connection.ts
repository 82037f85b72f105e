import fs from "node:fs";
import path from "node:path";

export interface OperatorConnection {
  readonly url: URL;
  readonly token: string;
  /** The person who gives the commands; absent: unnamed. */
  readonly name?: string | undefined;
  /** Aborted when responses are no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** The address of the operator interface, or its token, is unknown. */
export class OperatorConnectionMissing extends Error {
  override readonly name = "OperatorConnectionMissing";
}

const DEFAULT_URL = "http://127.0.0.1:3001";

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new OperatorConnectionMissing(`${file} can't be read (${code})`);
  }
}

function urlOfRunningService(dataDir: string): string | undefined {
  const file = path.join(dataDir, "operator.json");
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const { operatorUrl } = JSON.parse(text) as { readonly operatorUrl?: unknown };
    if (typeof operatorUrl === "string") return operatorUrl;
  } catch {
    // Reported below.
  }
  throw new OperatorConnectionMissing(`${file} does not name an operatorUrl: set OPERATOR_URL`);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new OperatorConnectionMissing(
      `OPERATOR_URL is ${JSON.stringify(text)}; it takes an address such as ${DEFAULT_URL}`,
    );
  }
  return url;
}

/**
 * From `OPERATOR_URL`, `OPERATOR_TOKEN` and `OPERATOR_NAME`, else from two files in `DATA_DIR` (`./data`).
 * @throws OperatorConnectionMissing
 */
export function findOperatorConnection(env: NodeJS.ProcessEnv): OperatorConnection {
  const dataDir = path.resolve(env.DATA_DIR || "data");
  const url = parseUrl(env.OPERATOR_URL || urlOfRunningService(dataDir) || DEFAULT_URL);
  const token = env.OPERATOR_TOKEN || readIfThere(path.join(dataDir, "operator-token"))?.trim();
  if (!token) {
    throw new OperatorConnectionMissing(
      `no operator token: set OPERATOR_TOKEN, or DATA_DIR to the data folder of the service (no operator-token in ${dataDir})`,
    );
  }
  return { url, token, name: env.OPERATOR_NAME || undefined };
}
