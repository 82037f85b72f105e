import type {
  ProjectionStatus,
  ProjectorRefusal,
  RebuildProgress,
  RebuildResult,
} from "@travel-booking/read-models/control";

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
