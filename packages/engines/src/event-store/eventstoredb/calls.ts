import { EventStoreDBClient } from "@eventstore/db-client";
import { StreamsClient, StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { ClientDuplexStream, ClientReadableStream } from "@grpc/grpc-js";
import { unavailable } from "./errors.ts";
import { type AppendAnswer, decodeAppendAnswer } from "./messages.ts";

type CallOptions = Required<Parameters<StreamsClient["batchAppend"]>>;

/** Internals of the client that its own calls use. */
interface ClientInternals {
  /** Runs when a call has failed: it leaves a channel that is of no use any more. */
  handleError(...failure: readonly unknown[]): Promise<void>;
  GRPCStreamCreator<Call>(
    client: typeof StreamsClient,
    name: string,
    create: (client: StreamsClient) => Call,
  ): () => Promise<Call>;
  callArguments(options: { readonly requiresLeader: boolean }, callOptions: { readonly deadline: number }): CallOptions;
}

const asIs = (encoded: Buffer) => encoded;

export type AppendCall = ClientDuplexStream<Buffer, AppendAnswer>;

/** A read under way. Once it is cancelled, nothing is heard of it. */
export interface Reading {
  pause(): void;
  resume(): void;
  cancel(): void;
}

/**
 * gRPC calls without deadlines on the connection of a client, which finds the server, authenticates and connects again. The
 * messages are our own, as those of the client, and its streams of objects, cost several times as much.
 */
export class Calls {
  readonly #client: EventStoreDBClient;
  readonly #internals: ClientInternals;
  readonly #onOutOfReach: (error: unknown) => void;

  /**
   * The client does not wait for its own handling of errors, which rejects where no other channel can be opened: without
   * a leader to be discovered, every call that fails would be an unhandled rejection, and end the process.
   * @param onOutOfReach called where no channel can be opened, for a call or after one.
   * @throws EventStoreUnavailable a file that the string names can't be read.
   */
  constructor(connectionString: string, onOutOfReach: (error: unknown) => void) {
    try {
      this.#client = EventStoreDBClient.connectionString(connectionString);
    } catch (error) {
      throw unavailable(error);
    }
    this.#onOutOfReach = onOutOfReach;
    this.#internals = this.#client as unknown as ClientInternals;
    const { handleError } = this.#internals;
    this.#internals.handleError = (...failure) => handleError(...failure).catch(onOutOfReach);
  }

  close(): Promise<void> {
    return this.#client.dispose();
  }

  append(): Promise<AppendCall> {
    const { path } = StreamsService.batchAppend;
    return this.#open(false, (client, ...options) =>
      client.makeBidiStreamRequest(path, asIs, decodeAppendAnswer, ...options),
    );
  }

  /**
   * @param onAnswer takes what `decodeRead` decodes.
   * @param onEnd called at the end, with the failure if it is one; perhaps more than once.
   */
  read(
    request: Buffer,
    requiresLeader: boolean,
    onAnswer: (encoded: Buffer) => void,
    onEnd: (failure?: Error) => void,
  ): Reading {
    const { path } = StreamsService.read;
    const opening = this.#open(requiresLeader, (client, ...options) =>
      client.makeServerStreamRequest(path, asIs, asIs, request, ...options),
    );
    const listening = opening.then((call) => call.on("data", onAnswer).on("end", onEnd).on("error", onEnd));
    listening.catch(onEnd);
    const then = (act: (call: ClientReadableStream<Buffer>) => void) => void listening.then(act, () => undefined);
    return {
      pause: () => then((call) => call.pause()),
      resume: () => then((call) => call.resume()),
      // What comes all the same is consumed: gRPC never releases a call otherwise.
      cancel: () => then((call) => call.off("data", onAnswer).resume().cancel()),
    };
  }

  async #open<Call>(
    requiresLeader: boolean,
    create: (client: StreamsClient, ...options: CallOptions) => Call,
  ): Promise<Call> {
    const options = this.#internals.callArguments({ requiresLeader }, { deadline: Number.POSITIVE_INFINITY });
    const open = this.#internals.GRPCStreamCreator(StreamsClient, "calls", (client) => create(client, ...options));
    try {
      return await open();
    } catch (error) {
      this.#onOutOfReach(error);
      throw error;
    }
  }
}
