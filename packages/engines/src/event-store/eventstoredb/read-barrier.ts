import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { NO_STREAM } from "../port.ts";
import { acknowledgementOf, appendRequest } from "./append-messages.ts";
import type { EncodedEvent } from "./event-codec.ts";
import { type AppendAnswer, decodeAppendAnswer } from "./messages.ts";
import type { Node } from "./node.ts";
import { decodeRead, streamRequest } from "./read-messages.ts";

/** Real milliseconds between looks whether a node has what was appended. */
const LOOK_AGAIN_MS = 5;

const asIs = (encoded: Buffer) => encoded;

/**
 * Before a read of a follower: it appends an event, which the leader takes, and waits until the follower has it. Then
 * the follower has all that was acknowledged before. The events stand in a stream of their own, which nobody reads.
 */
export class ReadBarrier {
  readonly node: Node;
  readonly #stream = `readBarrier-${randomUUID()}`;
  #revision = NO_STREAM;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(node: Node) {
    this.node = node;
  }

  /** Everybody who comes while one is under way waits for the next one together. */
  pass(): Promise<void> {
    this.#next ??= this.#passAfter(this.#last);
    return this.#next;
  }

  async #passAfter(last: Promise<unknown>): Promise<void> {
    await last.catch(() => undefined);
    this.#last = this.#next ?? last;
    this.#next = undefined;
    const revision = await this.#append();
    while (!(await this.#isReadable(revision))) await setTimeout(LOOK_AGAIN_MS);
  }

  async #append(): Promise<number> {
    const properties = { type: "ReadBarrier", "content-type": "application/json" } as const;
    const event: EncodedEvent = { id: { text: randomUUID() }, properties, metadata: "{}", data: "{}" };
    const request = { stream: this.#stream, expectedRevision: this.#revision, events: [event] };
    const { path } = StreamsService.batchAppend;
    const call = await this.node.open(false, (client, ...options) =>
      client.makeBidiStreamRequest(path, asIs, decodeAppendAnswer, ...options),
    );
    call.write(appendRequest(request, randomUUID()));
    const [answer]: AppendAnswer[] = await once(call, "data");
    // Cancelled calls end with an error.
    call.on("error", () => undefined).cancel();
    this.#revision = acknowledgementOf(answer as AppendAnswer, request).revision;
    return this.#revision;
  }

  async #isReadable(revision: number): Promise<boolean> {
    const { path } = StreamsService.read;
    const request = streamRequest(this.#stream, revision, 1);
    const call = await this.node.open(false, (client, ...options) =>
      client.makeServerStreamRequest(path, asIs, decodeRead, request, ...options),
    );
    let isThere = false;
    for await (const answer of call) isThere ||= typeof answer === "object";
    return isThere;
  }
}
