import { randomUUID } from "node:crypto";
import { parseUUID } from "@eventstore/db-client/dist/utils/grpcUUID.js";
import type { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import { type AppendRequest, encodeAppend } from "./append-request.ts";
import { type AppendAcknowledgement, parseAppendResponse } from "./append-response.ts";
import { appendUnavailable } from "./unavailable.ts";

/** An append and who waits for it. */
export interface PendingAppend {
  readonly request: AppendRequest;
  readonly resolve: (appended: AppendAcknowledgement) => void;
  readonly reject: (error: unknown) => void;
}

type Call = ReturnType<StreamsClient["batchAppend"]>;

/** One call for any number of appends, answered one by one. */
export class BatchAppendCall {
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
