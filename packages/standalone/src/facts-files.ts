import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The demo account as it is kept in `DATA_DIR/demo.json`, mode 0600 (decisions, "Running it"). */
export interface DemoFacts {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly accountId: string;
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type DemoAccount = Omit<DemoFacts, "baseUrl" | "operatorUrl">;

const fileIn = (dataDir: string) => join(dataDir, "demo.json");

/** The demo account made by an earlier start; undefined where there is none. */
export function keptDemoAccount(dataDir: string): DemoAccount | undefined {
  if (!existsSync(fileIn(dataDir))) return undefined;
  const { accountId, apiKey, clientId, clientSecret } = JSON.parse(readFileSync(fileIn(dataDir), "utf8")) as DemoFacts;
  return { accountId, apiKey, clientId, clientSecret };
}

/** Addresses may differ from start to start; the account stays. */
export function keepDemoFacts(dataDir: string, facts: DemoFacts): void {
  writePrivately(fileIn(dataDir), facts);
}

/** Where the command line finds the operator interface of the service that has this data folder. */
export function keepOperatorUrl(dataDir: string, operatorUrl: string): void {
  writePrivately(join(dataDir, "operator.json"), { operatorUrl });
}

/** Readable by this user alone, and whole at every moment. */
function writePrivately(file: string, content: unknown): void {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, "w", 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
