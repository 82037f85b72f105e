import type { EventEmitter } from "node:events";
import type { sendUnaryData } from "@grpc/grpc-js";
import { STOPPING } from "./failures.ts";

/** The calls that are not over yet. */
export class OpenCalls {
  readonly #open = new Set<() => void>();

  /** For calls with many answers. */
  watchStream<Call extends EventEmitter>(handle: (call: Call) => unknown): (call: Call) => void {
    return (call) => {
      const fail = () => void call.emit("error", STOPPING);
      this.#open.add(fail);
      for (const end of ["cancelled", "close", "finish"]) call.once(end, () => this.#open.delete(fail));
      handle(call);
    };
  }

  /** For calls with one answer. */
  watchSingle<Call extends EventEmitter, Answer>(
    handle: (call: Call, respond: sendUnaryData<Answer>) => unknown,
  ): (call: Call, respond: sendUnaryData<Answer>) => void {
    return (call, respond) => {
      const fail = () => respond(STOPPING);
      this.#open.add(fail);
      call.once("cancelled", () => this.#open.delete(fail));
      handle(call, (...answer) => {
        if (this.#open.delete(fail)) respond(...answer);
      });
    };
  }

  /** Ends all of them as a server does that is told to stop. */
  fail(): void {
    for (const fail of this.#open) fail();
    this.#open.clear();
  }
}
