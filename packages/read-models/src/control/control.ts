export interface RebuildProgress {
  readonly position: number;
  /** Position of the last event. */
  readonly head: number;
  /** Events per second so far. */
  readonly rate: number;
  /** Null: not known yet. */
  readonly secondsLeft: number | null;
}

export interface RebuildResult {
  readonly name: string;
  readonly events: number;
  readonly seconds: number;
}

/** An event of the log. */
export interface EventReference {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** Decimal. */
  readonly position: string;
}

export interface ProjectionStatus {
  readonly name: string;
  /** `rebuilding`: the live generation is served while a new one is built. */
  readonly state: "live" | "rebuilding" | "stopped";
  /** Everything up to this position can be read. Decimal. */
  readonly position: string;
  /** Distance from the position of the last event. */
  readonly lag: number;
  /** Null unless the projection is stopped. */
  readonly error: string | null;
  /** The event that stopped the projection, or ended its last rebuild. */
  readonly failedAt: EventReference | null;
}

export type ReportedStatus = Pick<ProjectionStatus, "state" | "error" | "failedAt">;

/** @param head position of the last event */
export function statusAt(name: string, reported: ReportedStatus, position: bigint, head: bigint): ProjectionStatus {
  const { state, error, failedAt } = reported;
  return { name, state, position: String(position), lag: Math.max(0, Number(head - position)), error, failedAt };
}

/** What an operator can do with the projector, wherever it runs. */
export interface ProjectorControl {
  list(): Promise<readonly ProjectionStatus[]>;
  /**
   * Resolves when the new generation is live.
   * @throws ProjectorRefusal no such projection, or a rebuild of it is under way.
   * @throws Error an event can't be handled; the live generation stays live.
   */
  rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult>;
  /**
   * Retries the event that stopped a projection. Resolves when the projection has caught up or is stopped again.
   * @throws ProjectorRefusal no such projection, or it is not stopped.
   */
  retry(name: string): Promise<ProjectionStatus>;
}

/** The request is not valid now; nothing was done. */
export class ProjectorRefusal extends Error {
  override readonly name = "ProjectorRefusal";
  readonly code: "unknown_projection" | "not_stopped" | "not_running" | "rebuild_under_way";

  constructor(code: ProjectorRefusal["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** How work ended, as it crosses threads and processes. */
export type Outcome<Result> =
  | { readonly result: Result }
  /** `refusal` is null unless the error was a `ProjectorRefusal`. */
  | { readonly failure: { readonly message: string; readonly refusal: ProjectorRefusal["code"] | null } };

export async function outcomeOf<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { message, refusal: error instanceof ProjectorRefusal ? error.code : null } };
  }
}

/** The result of the work. @throws Error, ProjectorRefusal the error of the work. */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ("result" in outcome) return outcome.result;
  const { message, refusal } = outcome.failure;
  throw refusal === null ? new Error(message) : new ProjectorRefusal(refusal, message);
}
