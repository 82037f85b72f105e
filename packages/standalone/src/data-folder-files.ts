import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "@travel-booking/service-host";

/** The demo account as it is kept in `DATA_DIR/demo.json`, mode 0600 (docs/rules.md#demo-account). */
export interface DemoFile {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly accountId: string;
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type DemoAccount = Omit<DemoFile, "baseUrl" | "operatorUrl">;

const demoFile = (dataDir: string) => join(dataDir, "demo.json");
/** Until the addresses are known: whoever waits for `demo.json` must find all of it. */
const accountFile = (dataDir: string) => join(dataDir, "demo-account.json");

/** The demo account made by an earlier start; undefined where there is none. @throws StartUpFault */
export function readDemoAccount(dataDir: string): DemoAccount | undefined {
  const file = [demoFile(dataDir), accountFile(dataDir)].find(existsSync);
  if (file === undefined) return undefined;
  try {
    const { accountId, apiKey, clientId, clientSecret } = JSON.parse(readFileSync(file, "utf8")) as DemoFile;
    return { accountId, apiKey, clientId, clientSecret };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "it is no JSON";
    throw new StartupError(`${file} can't be read (${why}): restore it, or remove it to go on without`, { cause });
  }
}

/** Keeps what can't be had again. */
export function writeDemoAccount(dataDir: string, account: DemoAccount): void {
  writePrivateFile(accountFile(dataDir), account);
}

/** Addresses may differ from start to start; the account stays. */
export function writeDemoFile(dataDir: string, facts: DemoFile): void {
  writePrivateFile(demoFile(dataDir), facts);
  rmSync(accountFile(dataDir), { force: true });
}

/** Where the command line finds the operator interface of the service that has this data folder. */
export function writeOperatorUrl(dataDir: string, operatorUrl: string): void {
  writePrivateFile(join(dataDir, "operator.json"), { operatorUrl });
}

/** Readable by this user alone, and whole at every moment. */
function writePrivateFile(file: string, content: unknown): void {
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
