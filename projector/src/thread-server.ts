import {
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
} from "@travel-booking/read-models/control";
import type { LocalProgress } from "./local-progress.ts";
import { oncePerOutage } from "./once-per-outage.ts";
import type { ProjectorOptions } from "./projector.ts";

/** A request of the services' thread to the projector's. Responses carry the id of their request. */
export type ProjectorRequest = { readonly kind: "request"; readonly id: number } & (
  | { readonly verb: "list" | "stop" }
  | { readonly verb: "rebuild" | "retry"; readonly projection: string }
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
}

export type ProjectorMessage =
  | { readonly kind: "positions"; readonly positions: readonly (readonly [projection: string, position: bigint])[] }
  /** The projector has started. Sent once, after the first positions. */
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly id: number; readonly progress: RebuildProgress }
  | { readonly kind: "result"; readonly id: number; readonly result: ProjectorResults[keyof ProjectorResults] }
  | { readonly kind: "failure"; readonly id: number; readonly failure: ThreadError }
  | { readonly kind: "problem"; readonly projection: string | null; readonly message: string }
  /** The projector has stopped for good. */
  | { readonly kind: "fatal"; readonly name: string; readonly message: string };

type Send = (message: ProjectorMessage) => void;

/** Implemented by `MessagePort` and `Worker`. */
export interface ThreadPort {
  postMessage(message: ProjectorMessage | ProjectorRequest): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** The part of the projector that the other thread uses. */
interface ServedProjector extends ProjectorControl {
  readonly progress: LocalProgress;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs a projector for the thread at the other end of the port. `make` gets the callbacks that report to that thread.
 * `onStopped` runs after the projector was stopped on request, before the response: it closes the engines.
 */
export async function serveProjector(
  port: ThreadPort,
  make: (callbacks: Pick<ProjectorOptions, "onFatal" | "onProblem">) => ServedProjector,
  onStopped: () => Promise<void>,
): Promise<void> {
  const send: Send = (message) => port.postMessage(message);
  const fatal = (error: unknown) => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    send({ kind: "fatal", name, message });
  };
  const projector = make({
    onFatal: fatal,
    onProblem: oncePerOutage(({ projection, error }) =>
      send({ kind: "problem", projection, message: messageOf(error) }),
    ),
  });
  const sendPositions = () => send({ kind: "positions", positions: projector.progress.positions() });
  const sendNewPositions = oncePerTick(projector.progress, sendPositions);
  const answer: Send = (message) => {
    // Whoever reads after an answer sees what it tells.
    sendNewPositions();
    send(message);
  };
  port.on("message", (request) => void respond(projector, request as ProjectorRequest, answer, onStopped));
  try {
    await projector.start();
    sendPositions();
    send({ kind: "started" });
  } catch (error) {
    fatal(error);
  }
}

/** Sends positions after they have advanced, at most once per tick of the event loop; called, it does so at once. */
function oncePerTick(progress: LocalProgress, sendPositions: () => void): () => void {
  let advanced = false;
  const sendNew = () => {
    if (!advanced) return;
    advanced = false;
    sendPositions();
  };
  progress.onAdvance(() => {
    if (advanced) return;
    advanced = true;
    setImmediate(sendNew);
  });
  return sendNew;
}

async function respond(
  projector: ServedProjector,
  request: ProjectorRequest,
  send: Send,
  onStopped: () => Promise<void>,
): Promise<void> {
  const { id } = request;
  try {
    send({ kind: "result", id, result: await perform(projector, request, send, onStopped) });
  } catch (error) {
    const refusal = error instanceof ProjectorRefusal ? error.code : null;
    send({ kind: "failure", id, failure: { message: messageOf(error), refusal } });
  }
}

async function perform(
  projector: ServedProjector,
  request: ProjectorRequest,
  send: Send,
  onStopped: () => Promise<void>,
): Promise<ProjectorResults[keyof ProjectorResults]> {
  switch (request.verb) {
    case "list":
      return projector.list();
    case "rebuild":
      return projector.rebuild(request.projection, (progress) => send({ kind: "progress", id: request.id, progress }));
    case "retry":
      return projector.retry(request.projection);
    case "stop":
      await projector.stop();
      await onStopped();
      return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
