import { EventStoreDBClient } from "@eventstore/db-client";
import { GossipService } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { Channel } from "@grpc/grpc-js";
import { unavailable } from "./errors.ts";
import { decodeMembers, EMPTY, type Member } from "./messages.ts";

/** The arguments of a call besides its message. */
export type CallOptions = Required<Parameters<StreamsClient["batchAppend"]>>;

/** Internals of the client that its own calls use. */
interface ClientInternals {
  getGRPCClient(client: typeof StreamsClient, name: string): Promise<StreamsClient>;
  getChannel(): Promise<Channel>;
  callArguments(options: { readonly requiresLeader: boolean }, callOptions: { readonly deadline: number }): CallOptions;
}

const asIs = (encoded: Buffer) => encoded;

/** A running call. */
interface OpenCall {
  cancel(): void;
  once(event: "close" | "end" | "error", listener: () => void): unknown;
}

/**
 * One node, over a connection of its own. The official client makes the connection: TLS, credentials, pings. The
 * messages are our own, because the client's messages and object streams cost several times as much.
 */
export class Node {
  /** Host and port. */
  readonly address: string;
  /** False: a follower, which forwards appends to a leader that is out of reach from here. */
  leads = true;
  readonly #internals: ClientInternals;
  readonly #calls = new Set<OpenCall>();
  #isClosed = false;

  /**
   * Connects with the first call.
   * @param url of this node alone.
   * @throws EventStoreUnavailable a file that the url names can't be read.
   */
  constructor(address: string, url: string) {
    this.address = address;
    try {
      this.#internals = EventStoreDBClient.connectionString(url) as unknown as ClientInternals;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /**
   * Opens a call, which is cancelled when the node is closed.
   * @param deadline time of day in milliseconds; by default there is none.
   */
  async open<Call extends OpenCall>(
    requiresLeader: boolean,
    create: (client: StreamsClient, ...options: CallOptions) => Call,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<Call> {
    const options = this.#internals.callArguments({ requiresLeader }, { deadline });
    const client = await this.#internals.getGRPCClient(StreamsClient, "streams");
    const call = create(client, ...options);
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.once("close", forget);
    call.once("error", forget);
    if (this.#isClosed) call.cancel();
    return call;
  }

  /** The members of the node's cluster, as the node sees them now. */
  async members(timeoutMs: number): Promise<readonly Member[]> {
    const deadline = Date.now() + timeoutMs;
    const [metadata] = this.#internals.callArguments({ requiresLeader: false }, { deadline });
    const client = await this.#internals.getGRPCClient(StreamsClient, "streams");
    return new Promise((resolve, reject) => {
      const { path } = GossipService.read;
      const call = client.makeUnaryRequest(
        path,
        asIs,
        decodeMembers,
        EMPTY,
        metadata,
        { deadline },
        (error, answer) => {
          if (error === null) resolve(answer ?? []);
          else reject(error);
        },
      );
      if (this.#isClosed) call.cancel();
    });
  }

  /** Closes the connection, and ends its calls. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const call of this.#calls) call.cancel();
    this.#internals.getChannel().then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}
