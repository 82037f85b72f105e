import { type Outcome, outcomeOf, type RebuildProgress } from "@travel-booking/read-models/control";
import { oncePerOutage } from "./once-per-outage.ts";
import type { Projector, ProjectorOptions } from "./projector.ts";

/** A request of the services' thread to the projector's. Responses carry the id of their request. */
export interface ProjectorRequest {
  readonly id: number;
  readonly verb: "list" | "rebuild" | "retry" | "stop";
  /** Only for `rebuild` and `retry`. */
  readonly projection: string | undefined;
}

export type ProjectorMessage =
  | { readonly kind: "positions"; readonly positions: readonly (readonly [projection: string, position: bigint])[] }
  /** The projector has started. Sent once, after the first positions. */
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly id: number; readonly progress: RebuildProgress }
  | { readonly kind: "outcome"; readonly id: number; readonly outcome: Outcome<unknown> }
  | { readonly kind: "problem"; readonly projection: string | null; readonly message: string }
  /** The projector has stopped for good. */
  | { readonly kind: "fatal"; readonly name: string; readonly message: string };

/** Implemented by `MessagePort` and `Worker`. */
export interface ThreadPort {
  postMessage(message: ProjectorMessage | ProjectorRequest): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/**
 * Runs a projector for the thread at the other end of the port. `make` gets the callbacks that report to that thread.
 * `onStopped` runs after the projector was stopped on request, before the response, to close the engines.
 */
export async function serveProjector(
  port: ThreadPort,
  make: (callbacks: Pick<ProjectorOptions, "onFatal" | "onProblem">) => Projector,
  onStopped: () => Promise<void>,
): Promise<void> {
  const send = (message: ProjectorMessage) => port.postMessage(message);
  const onFatal = (error: unknown) => {
    const { name, message } = asError(error);
    send({ kind: "fatal", name, message });
  };
  const onProblem = oncePerOutage(({ projection, error }) =>
    send({ kind: "problem", projection, message: asError(error).message }),
  );
  const projector = make({ onFatal, onProblem });
  const { progress } = projector;
  // Positions are sent as soon as they advance, so a read after an answer sees what the answer reports.
  progress.onAdvance = () => send({ kind: "positions", positions: progress.positions() });
  const perform = ({ id, verb, projection = "" }: ProjectorRequest): Promise<unknown> => {
    if (verb === "stop") return projector.stop().then(onStopped);
    if (verb === "rebuild")
      return projector.rebuild(projection, (progress) => send({ kind: "progress", id, progress }));
    return verb === "retry" ? projector.retry(projection) : projector.list();
  };
  port.on("message", async (message) => {
    const request = message as ProjectorRequest;
    const outcome = await outcomeOf(() => perform(request));
    send({ kind: "outcome", id: request.id, outcome });
  });
  try {
    await projector.start();
    send({ kind: "started" });
  } catch (error) {
    onFatal(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
