import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { OperatorRequest, OperatorRoute } from "@travel-booking/http/operator";
import { type CommandIdGenerator, type Settings, StartupError } from "@travel-booking/runtime";
import { isThere, replaceFile } from "@travel-booking/runtime/durable-files";
import { demoCatalogue } from "./demo-catalogue/demo-catalogue.ts";

/** The demo account as stored in `DATA_DIR/demo.json`, mode 0600 (docs/rules.md#demo-account). */
export interface DemoAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Record of an unfinished creation: it has begun, but the file of the account is not written yet. */
const STARTED = ["demo", "begun"] as const;

interface DemoAccountOptions {
  readonly settings: Pick<Settings, "demo" | "dataDir">;
  readonly state: StateStore;
  /** True: nothing was stored before this start. */
  readonly isNew: boolean;
  readonly create: () => Promise<DemoAccount>;
}

/**
 * Loads the demo account. The first start creates it. Only its file contains its key. A start that ends before it
 * writes the file leaves a record, so the next start creates another account.
 */
export async function loadOrCreateDemoAccount(options: DemoAccountOptions): Promise<DemoAccount | undefined> {
  const { settings, state, isNew, create } = options;
  if (settings.demo === false) return undefined;
  const known = readDemoAccount(settings.dataDir);
  if (known !== undefined) return known;
  const wasStarted = (await state.get(...STARTED)) !== undefined;
  if (settings.demo !== true && !isNew && !wasStarted) return undefined;
  await state.put(...STARTED, true);
  const created = await create();
  writeJson(accountFile(settings.dataDir), created);
  await state.remove(...STARTED);
  return created;
}

/** Creates the demo catalogue and an account with an API key and an OAuth client, through the operator interface. */
export async function createDemo(call: CallOperator, now: number): Promise<DemoAccount> {
  await call("/operator/catalogue", demoCatalogue(now));
  const { id: accountId = "" } = await call("/operator/accounts", { name: "Demo" });
  const credential = (kind: string) => call("/operator/credentials", { accountId, kind, name: "demo", test: true });
  const { apiKey = "" } = await credential("api-key");
  const { clientId = "", clientSecret = "" } = await credential("oauth-client");
  return { accountId, apiKey, clientId, clientSecret };
}

/** Calls an operation of the operator interface. Returns the body of the answer. */
export type CallOperator = <Answer = Readonly<Record<string, string>>>(
  path: string,
  body?: unknown,
  options?: { readonly method?: OperatorRoute["method"]; readonly params?: OperatorRequest["params"] },
) => Promise<Answer>;

/** Calls the operator routes directly, without a connection. */
export function operatorCaller(routes: readonly OperatorRoute[], ids: CommandIdGenerator): CallOperator {
  return async (path, body, { method = "POST", params = {} } = {}) => {
    const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
    if (route === undefined) throw new Error(`the operator interface has no ${method} ${path}`);
    if ("lines" in route) throw new Error(`${path} answers with lines`);
    const { signal: closed } = new AbortController();
    const command = { commandId: ids.next(), repeated: false };
    const request = { params, query: {}, operator: "demo", body, requestId: randomUUID(), command, closed };
    return (await route.answer(request)) as never;
  };
}

const demoFile = (dataDir: string) => join(dataDir, "demo.json");
/** This file holds the account until the addresses are known, so that `demo.json` is complete once it exists. */
const accountFile = (dataDir: string) => join(dataDir, "demo-account.json");

/** The demo account of an earlier start; undefined if there is none. @throws StartupError */
function readDemoAccount(dataDir: string): DemoAccount | undefined {
  const file = [demoFile(dataDir), accountFile(dataDir)].find(isThere);
  if (file === undefined) return undefined;
  try {
    const { accountId, apiKey, clientId, clientSecret } = JSON.parse(readFileSync(file, "utf8")) as DemoAccount;
    return { accountId, apiKey, clientId, clientSecret };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "it is no JSON";
    throw new StartupError(`${file} can't be read (${why}): restore it, or remove it to go on without`, { cause });
  }
}

/** Written at every start, because the addresses may change while the account stays the same. */
export function writeDemoFile(
  dataDir: string,
  demo: DemoAccount & { readonly baseUrl: string; readonly operatorUrl: string },
): void {
  writeJson(demoFile(dataDir), demo);
  rmSync(accountFile(dataDir), { force: true });
}

/** Writes the address of the service's operator interface into its data folder, for the command line. */
export function writeOperatorUrl(dataDir: string, operatorUrl: string): void {
  writeJson(join(dataDir, "operator.json"), { operatorUrl });
}

/** Writes a file that only this user can read. */
function writeJson(file: string, content: unknown): void {
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
