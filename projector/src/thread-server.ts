import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import type { LocalProgress } from "./local-progress.ts";
import type { ProjectorOptions } from "./projector.ts";

/** What the thread of the services asks of the projector's. Each request has an id that the answers carry. */
export type ProjectorRequest = { readonly kind: "request"; readonly id: number } & (
  | { readonly verb: "list" | "stop" }
  | { readonly verb: "rebuild" | "retry" | "skip"; readonly projection: string }
);

/** An error as it crosses threads. */
export interface ThreadError {
  readonly message: string;
  /** Null unless the request was refused. */
  readonly refusal: ProjectorRefusal["code"] | null;
}

export interface ProjectorResults {
  readonly list: readonly ProjectionStatus[];
  readonly stop: null;
  readonly rebuild: RebuildResult;
  readonly retry: ProjectionStatus;
  readonly skip: ProjectionStatus;
}

export type ProjectorMessage =
  | { readonly kind: "positions"; readonly positions: readonly (readonly [projection: string, position: bigint])[] }
  /** Positions are known and everything is being kept up. Sent once, after the first positions. */
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly id: number; readonly progress: RebuildProgress }
  | { readonly kind: "result"; readonly id: number; readonly result: ProjectorResults[keyof ProjectorResults] }
  | { readonly kind: "failure"; readonly id: number; readonly failure: ThreadError }
  | { readonly kind: "problem"; readonly projection: string | null; readonly message: string }
  /** The projector stands still for good. */
  | { readonly kind: "fatal"; readonly name: string; readonly message: string };

/** What both a `MessagePort` and a `Worker` are. */
export interface ThreadPort {
  postMessage(message: ProjectorMessage | ProjectorRequest): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** The projector, as far as the other thread can reach it. */
interface ServedProjector extends ProjectorControl {
  readonly progress: LocalProgress;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs a projector for the thread at the other end of the port: `make` is given the callbacks that report to it.
 * `stopped` runs after a stop was asked for, before it is answered: the place to close the engines.
 */
export async function serveProjector(
  port: ThreadPort,
  make: (callbacks: Pick<ProjectorOptions, "onFatal" | "onProblem">) => ServedProjector,
  stopped: () => Promise<void>,
): Promise<void> {
  const send = (message: ProjectorMessage) => port.postMessage(message);
  const fatal = (error: unknown) => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    send({ kind: "fatal", name, message });
  };
  const projector = make({
    onFatal: fatal,
    onProblem: ({ projection, error }) => send({ kind: "problem", projection, message: messageOf(error) }),
  });
  broadcastPositions(projector.progress, send);
  port.on("message", (request) => void answer(projector, request as ProjectorRequest, send, stopped));
  try {
    await projector.start();
    send({ kind: "positions", positions: projector.progress.positions() });
    send({ kind: "started" });
  } catch (error) {
    fatal(error);
  }
}

/** At most once in a turn of the event loop, however many projections move in it. */
function broadcastPositions(progress: LocalProgress, send: (message: ProjectorMessage) => void): void {
  let scheduled = false;
  progress.onAdvance(() => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      send({ kind: "positions", positions: progress.positions() });
    });
  });
}

async function answer(
  projector: ServedProjector,
  request: ProjectorRequest,
  send: (message: ProjectorMessage) => void,
  stopped: () => Promise<void>,
): Promise<void> {
  const { id } = request;
  try {
    send({ kind: "result", id, result: await perform(projector, request, send, stopped) });
  } catch (error) {
    const refusal = error instanceof ProjectorRefusal ? error.code : null;
    send({ kind: "failure", id, failure: { message: messageOf(error), refusal } });
  }
}

async function perform(
  projector: ServedProjector,
  request: ProjectorRequest,
  send: (message: ProjectorMessage) => void,
  stopped: () => Promise<void>,
): Promise<ProjectorResults[keyof ProjectorResults]> {
  switch (request.verb) {
    case "list":
      return projector.list();
    case "rebuild":
      return projector.rebuild(request.projection, (progress) => send({ kind: "progress", id: request.id, progress }));
    case "retry":
      return projector.retry(request.projection);
    case "skip":
      return projector.skip(request.projection);
    case "stop":
      await projector.stop();
      await stopped();
      return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
