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

/** Real milliseconds between checks whether a node has the appended event. */
const LOOK_AGAIN_MS = 5;

const asIs = (encoded: Buffer) => encoded;

/**
 * Makes reads from a follower consistent. It appends an event through the leader and waits until the follower has it.
 * Then the follower has everything that was acknowledged before. Each event has a stream of its own, which nothing
 * reads, so a lost answer does not affect the next event.
 */
export class ReadBarrier {
  readonly node: Node;
  readonly #timeoutMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** @param timeoutMs real time after which the barrier is given up, with no call left open. */
  constructor(node: Node, timeoutMs: number) {
    this.node = node;
    this.#timeoutMs = timeoutMs;
  }

  /** Calls during a running barrier share the next one. */
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
    // The wait for the end also takes the error that cancelling causes.
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
