import type { EventStoreDBClient } from "@eventstore/db-client";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { type AppendRequest, sizeOf } from "./append-request.ts";
import type { AppendAcknowledgement } from "./append-response.ts";
import { BatchAppendCall } from "./batch-append-call.ts";
import { AppendTooLarge } from "./errors.ts";
import { unavailable } from "./unavailable.ts";

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
