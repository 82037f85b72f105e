import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import { LocalProgress } from "./local-progress.ts";
import type { ProjectorOptions } from "./projector.ts";
import type { ProjectorMessage, ProjectorRequest, ProjectorResults, ThreadError, ThreadPort } from "./thread-server.ts";

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: RebuildProgress) => void) | undefined;
}

interface ProjectorClientOptions extends Pick<ProjectorOptions, "onProblem"> {
  /** Called when the projector has stopped for good or its thread has ended. */
  readonly onFatal: (error: Error) => void;
  /** `ReadModels.refresh` of this thread: called before new positions are announced, so that they can be read. */
  readonly refresh: () => void;
}

/** An error of the projector's thread, under the name of the original. */
class ProjectorFailure extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The projector in another thread. */
export class ProjectorClient implements ProjectorControl {
  readonly progress = new LocalProgress();
  /** Resolves when the projector has announced its first positions; rejects if it can't start. */
  readonly started: Promise<void>;
  readonly #port: ThreadPort;
  readonly #options: ProjectorClientOptions;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #resolveStarted: () => void = () => undefined;
  #rejectStarted: (error: Error) => void = () => undefined;

  constructor(port: ThreadPort, options: ProjectorClientOptions) {
    this.#port = port;
    this.#options = options;
    this.started = new Promise((resolve, reject) => {
      this.#resolveStarted = resolve;
      this.#rejectStarted = reject;
    });
    this.started.catch(() => undefined);
    port.on("message", (message) => this.#receive(message as ProjectorMessage));
  }

  /** Everything up to here can be read, according to the last message. */
  positionOf(projection: string): bigint {
    return this.progress.positionOf(projection);
  }

  list(): Promise<readonly ProjectionStatus[]> {
    return this.#request<"list">((id) => ({ kind: "request", id, verb: "list" }));
  }

  rebuild(projection: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    return this.#request<"rebuild">((id) => ({ kind: "request", id, verb: "rebuild", projection }), onProgress);
  }

  retry(projection: string): Promise<ProjectionStatus> {
    return this.#request<"retry">((id) => ({ kind: "request", id, verb: "retry", projection }));
  }

  /** Resolves when the projector has finished its batch and closed its engines. */
  async stop(): Promise<void> {
    await this.#request<"stop">((id) => ({ kind: "request", id, verb: "stop" }));
  }

  /** The thread has ended or failed: pending requests are rejected with this error. */
  handleDisconnect(error: Error): void {
    this.#rejectStarted(error);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#options.onFatal(error);
  }

  #request<Verb extends keyof ProjectorResults>(
    request: (id: number) => ProjectorRequest,
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<ProjectorResults[Verb]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress });
      this.#port.postMessage(request(id));
    });
  }

  #receive(message: ProjectorMessage): void {
    switch (message.kind) {
      case "positions":
        this.#options.refresh();
        for (const [projection, position] of message.positions) this.progress.advance(projection, position);
        return;
      case "started":
        this.#resolveStarted();
        return;
      case "progress":
        this.#pending.get(message.id)?.onProgress?.(message.progress);
        return;
      case "result":
        this.#takePending(message.id)?.resolve(message.result as never);
        return;
      case "failure":
        this.#takePending(message.id)?.reject(errorOf(message.failure));
        return;
      case "problem": {
        const { projection } = message;
        this.#options.onProblem({ projection, error: new ProjectorFailure("Error", message.message) });
        return;
      }
      case "fatal":
        this.handleDisconnect(new ProjectorFailure(message.name, message.message));
    }
  }

  #takePending(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function errorOf({ message, refusal }: ThreadError): Error {
  return refusal === null ? new ProjectorFailure("Error", message) : new ProjectorRefusal(refusal, message);
}
