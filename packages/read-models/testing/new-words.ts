import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedWords } from "../src/sealed-words/index.ts";

/** With keys of their own. */
export function newWords(): SealedWords {
  return new SealedWords({ state: new InMemoryStateStore(), secretKey: "secret", shared: false });
}
