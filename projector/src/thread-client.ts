import {
  type Outcome,
  type ProjectionStatus,
  type ProjectorControl,
  type RebuildProgress,
  type RebuildResult,
  resultOf,
} from "@travel-booking/read-models/control";
import { LocalProgress } from "./local-progress.ts";
import type { ProjectorOptions } from "./projector.ts";
import type { ProjectorMessage, ProjectorRequest, ThreadPort } from "./thread-server.ts";

interface Pending extends PromiseWithResolvers<Outcome<unknown>> {
  readonly onProgress: ((progress: RebuildProgress) => void) | undefined;
}

interface ProjectorClientOptions extends Pick<ProjectorOptions, "onProblem"> {
  /** Called when the projector has stopped for good or its thread has ended. */
  readonly onFatal: (error: Error) => void;
  /** `ReadModels.refresh` of this thread. It is called before new positions are announced, so that they can be read. */
  readonly refresh: () => void;
}

/** The projector in another thread. */
export class ProjectorClient implements ProjectorControl {
  readonly progress = new LocalProgress();
  readonly #port: ThreadPort;
  readonly #options: ProjectorClientOptions;
  readonly #started = Promise.withResolvers<void>();
  /** Resolves when the projector has announced its first positions; rejects if it can't start. */
  readonly started = this.#started.promise;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(port: ThreadPort, options: ProjectorClientOptions) {
    this.#port = port;
    this.#options = options;
    this.started.catch(() => undefined);
    port.on("message", (message) => this.#receive(message as ProjectorMessage));
  }

  async list(): Promise<readonly ProjectionStatus[]> {
    return (await this.#request("list")) as readonly ProjectionStatus[];
  }

  async rebuild(projection: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult> {
    return (await this.#request("rebuild", projection, onProgress)) as RebuildResult;
  }

  async retry(projection: string): Promise<ProjectionStatus> {
    return (await this.#request("retry", projection)) as ProjectionStatus;
  }

  /** Resolves when the projector has finished its batch and closed its engines. */
  async stop(): Promise<void> {
    await this.#request("stop");
  }

  /** The thread has ended or failed: pending requests are rejected with this error. */
  handleDisconnect(error: Error): void {
    this.#started.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#options.onFatal(error);
  }

  async #request(verb: ProjectorRequest["verb"], projection?: string, onProgress?: Pending["onProgress"]) {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Outcome<unknown>>();
    this.#pending.set(id, { ...answer, onProgress });
    this.#port.postMessage({ id, verb, projection });
    return resultOf(await answer.promise);
  }

  #receive(message: ProjectorMessage): void {
    switch (message.kind) {
      case "positions":
        this.#options.refresh();
        this.progress.advance(message.positions);
        return;
      case "started":
        this.#started.resolve();
        return;
      case "progress":
        this.#pending.get(message.id)?.onProgress?.(message.progress);
        return;
      case "outcome":
        this.#pending.get(message.id)?.resolve(message.outcome);
        this.#pending.delete(message.id);
        return;
      case "problem":
        this.#options.onProblem({ projection: message.projection, error: new Error(message.message) });
        return;
      case "fatal":
        // The error gets the name of the original, because its class does not cross threads.
        this.handleDisconnect(Object.assign(new Error(message.message), { name: message.name }));
    }
  }
}
