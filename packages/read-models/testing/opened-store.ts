import type { ReadStore } from "@travel-booking/engines/read-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedReadStore, SealedWords } from "../src/sealed-words/index.ts";

/** A store for a projector, with keys of its own. */
export function openedStore(store: ReadStore): SealedReadStore {
  const words = new SealedWords({ state: new InMemoryStateStore(), secretKey: "secret", shared: false });
  return new SealedReadStore(store, words);
}
