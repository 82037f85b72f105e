import { randomUUID } from "node:crypto";
import { EventStoreUnavailable } from "../port.ts";
import {
  type AppendAcknowledgement,
  type AppendRequest,
  acknowledgementOf,
  appendRefused,
  appendRequest,
  sizeOf,
} from "./append-messages.ts";
import type { AppendCall, Calls } from "./calls.ts";
import { appendUnavailable, unavailable } from "./errors.ts";
import { type AppendAnswer, uuidOf } from "./messages.ts";

/** Larger appends are never sent. The server's own limit is one of its settings, and its refusal names it. */
const MAX_APPEND_BYTES = 16 * 1024 * 1024;

/**
 * Appends in call order, all on one gRPC call. The client's own appends are not safe, because the whole process shares
 * one list of pending appends. A client that closes or loses its server would fail the appends of all others. A late
 * answer to one of those would end the process.
 */
export class AppendClient {
  readonly #calls: Calls;
  readonly #timeoutMs: number;
  readonly #verifyLog: () => Promise<void>;
  #call: Promise<BatchAppendCall> | undefined;

  /** @param verifyLog called before the first append of each gRPC call, because a new call may lead to another log. */
  constructor(calls: Calls, timeoutMs: number, verifyLog: () => Promise<void>) {
    this.#calls = calls;
    this.#timeoutMs = timeoutMs;
    this.#verifyLog = verifyLog;
  }

  /**
   * Settles within the append time-out.
   * @throws WrongExpectedRevision
   * @throws AppendRefused
   * @throws StreamTombstoned
   * @throws AnotherLog
   * @throws EventStoreUnavailable
   */
  async append(request: AppendRequest): Promise<AppendAcknowledgement> {
    if (sizeOf(request) > MAX_APPEND_BYTES) throw appendRefused(request, `at most ${MAX_APPEND_BYTES} are sent`);
    const { promise, resolve, reject } = Promise.withResolvers<AppendAcknowledgement>();
    // Until the append is sent, nothing was attempted.
    let giveUp = (reason: Error) => reject(unavailable(reason));
    let isLate = false;
    // An answer that came while this process was suspended is in time, because pending I/O is read first.
    const timeOut = () => {
      isLate = true;
      giveUp(new Error(`no answer within ${this.#timeoutMs} ms`));
    };
    const timer = setTimeout(() => setImmediate(timeOut), this.#timeoutMs);
    const send = async () => {
      let call = await this.#open();
      if (call.isClosed) call = await this.#open();
      if (!isLate) giveUp = call.send({ request, resolve, reject });
    };
    send().catch((error: unknown) => reject(unavailable(error)));
    return promise.finally(() => clearTimeout(timer));
  }

  #open(): Promise<BatchAppendCall> {
    if (this.#call !== undefined) return this.#call;
    const opening = this.#openCall(() => {
      if (this.#call === opening) this.#call = undefined;
    });
    this.#call = opening;
    return opening;
  }

  async #openCall(onOver: () => void): Promise<BatchAppendCall> {
    let opened: BatchAppendCall | undefined;
    try {
      const { call, doubt } = await this.#calls.append();
      opened = new BatchAppendCall(call, doubt, onOver);
      await this.#verifyLog();
      return opened;
    } catch (error) {
      opened?.cancel();
      onOver();
      throw error;
    }
  }
}

interface PendingAppend {
  readonly request: AppendRequest;
  readonly resolve: (appended: AppendAcknowledgement) => void;
  readonly reject: (error: unknown) => void;
}

/** One gRPC call for any number of appends, answered one by one. */
class BatchAppendCall {
  readonly #call: AppendCall;
  readonly #pending = new Map<string, PendingAppend>();
  readonly #doubt: () => void;
  readonly #onClosed: () => void;
  #answers = 0;
  #isClosed = false;

  /** @param doubt called if the node does not answer, or is not ready. */
  constructor(call: AppendCall, doubt: () => void, onOver: () => void) {
    this.#call = call;
    this.#doubt = doubt;
    this.#onClosed = onOver;
    call.on("data", (answer: AppendAnswer) => this.#onAnswer(answer));
    call.on("error", (error: Error) => this.#end(error));
    call.on("end", () => this.#end(new Error("it ended the call")));
    call.on("close", () => this.#end(new Error("it closed the call")));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  cancel(): void {
    this.#call.cancel();
  }

  /** Returns a function that gives the append up, with the reason. */
  send(append: PendingAppend): (reason: Error) => void {
    const id = randomUUID();
    const answersBefore = this.#answers;
    this.#pending.set(id, append);
    this.#call.write(appendRequest(append.request, id));
    return (reason) => {
      if (!this.#pending.delete(id)) return;
      append.reject(appendUnavailable(reason));
      // If no answer at all has come since then, the call is ended, so that the next append opens another.
      if (this.#answers > answersBefore) return;
      this.#end(reason);
      this.#call.cancel();
      this.#doubt();
    };
  }

  #onAnswer(answer: AppendAnswer): void {
    this.#answers++;
    const id = uuidOf(answer.id);
    const append = this.#pending.get(id);
    // The append was given up.
    if (append === undefined) return;
    this.#pending.delete(id);
    try {
      append.resolve(acknowledgementOf(answer, append.request));
    } catch (error) {
      append.reject(error);
      if (error instanceof EventStoreUnavailable && !error.outcomeUnknown) this.#doubt();
    }
  }

  #end(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed();
    for (const { reject } of this.#pending.values()) reject(appendUnavailable(reason));
    this.#pending.clear();
  }
}
