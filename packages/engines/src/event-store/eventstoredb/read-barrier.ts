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
 * the follower has all that was acknowledged before. Each event stands in a stream of its own, which nobody reads: where
 * the answer to one is lost, the next one does not depend on it.
 */
export class ReadBarrier {
  readonly node: Node;
  readonly #timeoutMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** @param timeoutMs real time after which it is given up, and leaves nothing open. */
  constructor(node: Node, timeoutMs: number) {
    this.node = node;
    this.#timeoutMs = timeoutMs;
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
    const stream = `readBarrier-${randomUUID()}`;
    const deadline = Date.now() + this.#timeoutMs;
    await this.#append(stream, deadline);
    while (!(await this.#isReadable(stream, deadline))) await setTimeout(LOOK_AGAIN_MS);
  }

  async #append(stream: string, deadline: number): Promise<void> {
    const properties = { type: "ReadBarrier", "content-type": "application/json" } as const;
    const event: EncodedEvent = { id: { text: randomUUID() }, properties, metadata: "{}", data: "{}" };
    const request = { stream, expectedRevision: NO_STREAM, events: [event] };
    const { path } = StreamsService.batchAppend;
    const call = await this.node.open(
      false,
      (client, ...options) => client.makeBidiStreamRequest(path, asIs, decodeAppendAnswer, ...options),
      deadline,
    );
    call.write(appendRequest(request, randomUUID()));
    // Who waits for the end hears of the cancelling, too.
    const [answer]: AppendAnswer[] = await Promise.race([once(call, "data"), once(call, "end")]);
    call.cancel();
    if (answer === undefined) throw new Error("it ended the call");
    acknowledgementOf(answer, request);
  }

  async #isReadable(stream: string, deadline: number): Promise<boolean> {
    const { path } = StreamsService.read;
    const request = streamRequest(stream, 0, 1);
    const call = await this.node.open(
      false,
      (client, ...options) => client.makeServerStreamRequest(path, asIs, decodeRead, request, ...options),
      deadline,
    );
    let isThere = false;
    for await (const answer of call) isThere ||= typeof answer === "object";
    return isThere;
  }
}
