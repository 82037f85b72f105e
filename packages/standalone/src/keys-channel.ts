import type { MessagePort } from "node:worker_threads";
import { type StateRecord, type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import type { KeyStore } from "@travel-booking/read-models/sealed-words";

type Question = { readonly id: number; readonly space: string; readonly key: string };
type Answer =
  | { readonly id: number; readonly record: StateRecord<unknown> | undefined }
  | { readonly id: number; readonly failure: string }
  | "forget";

/**
 * Lets another thread read the keys of personal words. Only this one opens their store: an erasure rewrites its file.
 * @param mayAnswer no question is answered before it resolves.
 * @returns a function that makes the other thread forget the keys that it has read.
 */
export function serveKeys(
  port: MessagePort,
  keys: Pick<StateStore, "get">,
  mayAnswer: Promise<unknown> = Promise.resolve(),
): () => void {
  const send = (answer: Answer) => port.postMessage(answer);
  const get = (space: string, key: string) => mayAnswer.then(() => keys.get(space, key));
  port.on("message", ({ id, space, key }: Question) => {
    get(space, key).then(
      (record) => send({ id, record }),
      (error: Error) => send({ id, failure: error.message }),
    );
  });
  port.unref();
  return () => send("forget");
}

/** The other end of `serveKeys`. It only reads, because the request thread makes and erases keys. */
export class KeysOverPort implements KeyStore {
  readonly create = refuse;
  readonly put = refuse;
  readonly replace = refuse;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<StateRecord<unknown> | undefined>>();
  #lastId = 0;
  onForget: () => void = () => undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (answer: Answer) => {
      if (answer === "forget") return this.onForget();
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("failure" in answer) waiting?.reject(new StateStoreUnavailable(answer.failure, { outcomeUnknown: false }));
      else waiting?.resolve(answer.record);
    });
    // The port must not keep the thread running.
    port.unref();
  }

  get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<StateRecord<unknown> | undefined>();
    this.#waiting.set(id, answer);
    this.#port.postMessage({ id, space, key } satisfies Question);
    return answer.promise as Promise<StateRecord<Value> | undefined>;
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("only the request thread makes keys"));
}
