import type { StateStore } from "@travel-booking/engines/state-store";
import type { Settings } from "@travel-booking/runtime";
import { type DemoAccount, readDemoAccount, writeDemoAccount } from "../data-folder-files.ts";

const SPACE = "demo";
const KEY = "begun";

export interface DemoAccountOptions {
  readonly settings: Pick<Settings, "demo" | "dataDir">;
  readonly state: StateStore;
  /** Nothing was stored before this start. */
  readonly isNew: boolean;
  readonly make: () => Promise<DemoAccount>;
}

/**
 * The demo account: made at the first start, known again later. Its key can be read nowhere but in its file, so a
 * start that ends before that is written leaves a mark, and the next one makes another account.
 */
export async function loadOrCreateDemoAccount(options: DemoAccountOptions): Promise<DemoAccount | undefined> {
  const { settings, state, isNew, make } = options;
  if (settings.demo === false) return undefined;
  const kept = readDemoAccount(settings.dataDir);
  if (kept !== undefined) return kept;
  const begun = (await state.get(SPACE, KEY)) !== undefined;
  if (settings.demo !== true && !isNew && !begun) return undefined;
  await state.put(SPACE, KEY, true);
  const made = await make();
  writeDemoAccount(settings.dataDir, made);
  await state.remove(SPACE, KEY);
  return made;
}
