import { randomUUID } from "node:crypto";
import type { EventStoreDBClient } from "@eventstore/db-client";
import { parseUUID } from "@eventstore/db-client/dist/utils/grpcUUID.js";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import {
  type AppendAcknowledgement,
  type AppendRequest,
  encodeAppend,
  parseAppendResponse,
  sizeOf,
} from "./append-messages.ts";
import { AppendTooLarge, appendUnavailable, unavailable } from "./errors.ts";

type BatchAppend = StreamsClient["batchAppend"];

/** What the client makes its own appends with, and keeps to itself. */
interface ClientInternals {
  GRPCStreamCreator(
    client: typeof StreamsClient,
    name: string,
    create: (client: StreamsClient) => ReturnType<BatchAppend>,
  ): () => Promise<unknown>;
  callArguments(options: object, callOptions: object): Parameters<BatchAppend>;
}

/** No server takes more in one append, whatever its settings. */
const MAX_APPEND_BYTES = 16 * 1024 * 1024;

/**
 * Appends in the order in which they are asked for, all on one call of the client's connection. The client's own are
 * not safe: its list of pending appends is one for the whole process, so a client that is closed or loses its server
 * fails the appends of all others, and an answer that comes for one of them after that ends the process.
 */
export class AppendClient {
  readonly #client: ClientInternals;
  readonly #timeoutMs: number;
  #call: Promise<BatchAppendCall> | undefined;

  constructor(client: EventStoreDBClient, timeoutMs: number) {
    this.#client = client as unknown as ClientInternals;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Answers or fails within the time an append is given.
   * @throws WrongExpectedRevision
   * @throws AppendTooLarge
   * @throws StreamTombstoned
   * @throws EventStoreUnavailable
   */
  async append(request: AppendRequest): Promise<AppendAcknowledgement> {
    if (sizeOf(request) > MAX_APPEND_BYTES) throw new AppendTooLarge(request.stream, sizeOf(request), MAX_APPEND_BYTES);
    const { promise, resolve, reject } = Promise.withResolvers<AppendAcknowledgement>();
    // Until it is sent, nothing was attempted.
    let giveUp = (reason: Error) => reject(unavailable(reason));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      giveUp(new Error(`no answer within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
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
    const create = this.#client.GRPCStreamCreator(StreamsClient, "append", (client) => {
      const call = client.batchAppend(...this.#client.callArguments({}, { deadline: Number.POSITIVE_INFINITY }));
      opened = new BatchAppendCall(call, onOver);
      return call;
    });
    try {
      await create();
      if (opened === undefined) throw new Error("the client made no call");
      return opened;
    } catch (error) {
      onOver();
      throw error;
    }
  }
}

/** An append and who waits for it. */
export interface PendingAppend {
  readonly request: AppendRequest;
  readonly resolve: (appended: AppendAcknowledgement) => void;
  readonly reject: (error: unknown) => void;
}

type Call = ReturnType<StreamsClient["batchAppend"]>;

/** One call for any number of appends, answered one by one. */
class BatchAppendCall {
  readonly #call: Call;
  readonly #pending = new Map<string, PendingAppend>();
  readonly #onClosed: () => void;
  #answers = 0;
  #isOver = false;

  constructor(call: Call, onOver: () => void) {
    this.#call = call;
    this.#onClosed = onOver;
    call.on("data", (answer: BatchAppendResp) => this.#onResponse(answer));
    call.on("error", (error: Error) => this.#end(error));
    call.on("end", () => this.#end(new Error("it ended the call")));
    call.on("close", () => this.#end(new Error("it closed the call")));
  }

  /** Nothing more can be sent on it. */
  get isClosed(): boolean {
    return this.#isOver;
  }

  /** Answers what is to be called when nobody waits for the append any more, with the reason. */
  send(append: PendingAppend): (reason: Error) => void {
    const id = randomUUID();
    const answersBefore = this.#answers;
    this.#pending.set(id, append);
    this.#call.write(encodeAppend(append.request, id));
    return (reason) => {
      if (!this.#pending.delete(id)) return;
      append.reject(appendUnavailable(reason));
      // A call on which nothing comes any more is given up, so that the next append is sent on another.
      if (this.#answers > answersBefore) return;
      this.#end(reason);
      this.#call.cancel();
    };
  }

  #onResponse(answer: BatchAppendResp): void {
    this.#answers++;
    const id = parseUUID(answer.getCorrelationId()) ?? "";
    const append = this.#pending.get(id);
    // Nobody waits any more: it was given up.
    if (append === undefined) return;
    this.#pending.delete(id);
    try {
      append.resolve(parseAppendResponse(answer, append.request));
    } catch (error) {
      append.reject(error);
    }
  }

  #end(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onClosed();
    for (const { reject } of this.#pending.values()) reject(appendUnavailable(reason));
    this.#pending.clear();
  }
}
