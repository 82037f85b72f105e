import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { ClientDuplexStream, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import type { Cluster } from "./cluster.ts";
import { type AppendAnswer, decodeAppendAnswer } from "./messages.ts";
import type { Node } from "./node.ts";
import { ReadBarrier } from "./read-barrier.ts";

/** Real time after which a node is doubted if it has not begun to answer a read. */
const SUSPICIOUS_MS = 3_000;

/** gRPC's code for a lost connection, or a server that is not ready. */
const UNAVAILABLE = 14;

const asIs = (encoded: Buffer) => encoded;

export type AppendCall = ClientDuplexStream<Buffer, AppendAnswer>;

/** A running read. Once it is cancelled, it reports nothing more. */
export interface Reading {
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** gRPC calls without deadlines, to the node that represents the cluster. After a failure it looks for another. */
export class Calls {
  readonly #cluster: Cluster;
  readonly #appendTimeoutMs: number;
  /** Of the follower that serves reads while the leader is out of reach. */
  #barrier: ReadBarrier | undefined;

  /** @param appendTimeoutMs real time for the append before a read from a follower. */
  constructor(cluster: Cluster, appendTimeoutMs: number) {
    this.#cluster = cluster;
    this.#appendTimeoutMs = appendTimeoutMs;
  }

  /**
   * Opens a call for any number of appends. A follower forwards them to its leader.
   * @returns also `doubt`, to be called if the node does not answer, or is not ready.
   */
  async append(): Promise<{ readonly call: AppendCall; readonly doubt: () => void }> {
    const { path } = StreamsService.batchAppend;
    const node = await this.#cluster.node();
    const call = await node.open(false, (client, ...options) =>
      client.makeBidiStreamRequest(path, asIs, decodeAppendAnswer, ...options),
    );
    call.on("error", (error) => this.#onFailure(node, error));
    return { call, doubt: () => void this.#cluster.reconsider(node) };
  }

  /**
   * @param isConsistent true: the answer has all events acknowledged before. False: a node answers from what it has.
   * @param onAnswer gets messages for `decodeRead`.
   * @param onEnd called at the end, with the error if it failed; perhaps more than once.
   */
  read(
    request: Buffer,
    isConsistent: boolean,
    onAnswer: (encoded: Buffer) => void,
    onEnd: (failure?: Error) => void,
  ): Reading {
    const opening = isConsistent ? this.#openConsistent(request) : this.#open(request);
    const listening = opening.then((call) => call.on("data", onAnswer).on("end", onEnd).on("error", onEnd));
    listening.catch(onEnd);
    const then = (act: (call: ClientReadableStream<Buffer>) => void) => void listening.then(act, () => undefined);
    return {
      pause: () => then((call) => call.pause()),
      resume: () => then((call) => call.resume()),
      // Later messages are still consumed, because gRPC never releases a call otherwise.
      cancel: () => then((call) => call.off("data", onAnswer).resume().cancel()),
    };
  }

  async #open(request: Buffer): Promise<ClientReadableStream<Buffer>> {
    return this.#openOn(await this.#cluster.node(), request, false);
  }

  async #openConsistent(request: Buffer): Promise<ClientReadableStream<Buffer>> {
    const node = await this.#cluster.node();
    const suspicious = setTimeout(() => void this.#cluster.reconsider(node), SUSPICIOUS_MS);
    const answered = () => clearTimeout(suspicious);
    try {
      if (!node.leads) await this.#barrierOf(node).pass();
      const call = await this.#openOn(node, request, node.leads);
      return call.once("data", answered).once("end", answered).once("error", answered);
    } catch (error) {
      answered();
      throw error;
    }
  }

  async #openOn(node: Node, request: Buffer, requiresLeader: boolean): Promise<ClientReadableStream<Buffer>> {
    const { path } = StreamsService.read;
    const call = await node.open(requiresLeader, (client, ...options) =>
      client.makeServerStreamRequest(path, asIs, asIs, request, ...options),
    );
    return call.on("error", (error) => this.#onFailure(node, error));
  }

  #barrierOf(node: Node): ReadBarrier {
    if (this.#barrier?.node !== node) this.#barrier = new ReadBarrier(node, this.#appendTimeoutMs);
    return this.#barrier;
  }

  #onFailure(node: Node, error: Partial<ServiceError>): void {
    const { code, metadata } = error;
    if (metadata?.get("exception")[0] === "not-leader") {
      const [[host], [port]] = [metadata.get("leader-endpoint-host"), metadata.get("leader-endpoint-port")];
      this.#cluster.leaveForLeader(node, host === undefined ? undefined : `${host}:${port}`);
    } else if (code === UNAVAILABLE) this.#cluster.leave(node);
  }
}
