import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { ClientDuplexStream, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import type { Cluster } from "./cluster.ts";
import { type AppendAnswer, decodeAppendAnswer } from "./messages.ts";
import type { Node } from "./node.ts";
import { ReadBarrier } from "./read-barrier.ts";

/** Real time after which a node that has not begun to answer a read is doubted. */
const SUSPICIOUS_MS = 3_000;

/** Of gRPC: the connection is lost, or the server is not ready. */
const UNAVAILABLE = 14;

const asIs = (encoded: Buffer) => encoded;

export type AppendCall = ClientDuplexStream<Buffer, AppendAnswer>;

/** A read under way. Once it is cancelled, nothing is heard of it. */
export interface Reading {
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** gRPC calls without deadlines, on the node that the cluster is reached by. What fails makes it look for another. */
export class Calls {
  readonly #cluster: Cluster;
  readonly #appendTimeoutMs: number;
  /** Of the follower that reads go to while the leader is out of reach. */
  #barrier: ReadBarrier | undefined;

  /** @param appendTimeoutMs real time for what is appended before a read of a follower. */
  constructor(cluster: Cluster, appendTimeoutMs: number) {
    this.#cluster = cluster;
    this.#appendTimeoutMs = appendTimeoutMs;
  }

  /**
   * A call for any number of appends, which a follower hands on to its leader.
   * @returns also a function to be called where the node does not answer, or is not ready.
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
   * @param isConsistent it has all that was acknowledged before. Else a node answers from what it has.
   * @param onAnswer takes what `decodeRead` decodes.
   * @param onEnd called at the end, with the failure if it is one; perhaps more than once.
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
      // What comes all the same is consumed: gRPC never releases a call otherwise.
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
