/** How far a rebuild is. */
export interface RebuildProgress {
  readonly position: number;
  /** Position of the last event there is. */
  readonly head: number;
  /** Events a second, so far. */
  readonly rate: number;
  /** Null while nothing can be said. */
  readonly secondsLeft: number | null;
}

export interface RebuildResult {
  readonly name: string;
  readonly events: number;
  readonly seconds: number;
}

export interface ProjectionStatus {
  readonly name: string;
  /** `rebuilding`: a new generation is being built; what is live is served meanwhile. */
  readonly state: "live" | "rebuilding" | "stopped";
  /** Decimal: everything up to here can be read. */
  readonly position: string;
  /** How far the position is behind that of the last event. */
  readonly lag: number;
  /** What stopped it; null unless it is stopped. */
  readonly error: string | null;
}

/** What an operator can ask of the projector, wherever it runs. */
export interface ProjectorControl {
  list(): Promise<readonly ProjectionStatus[]>;
  /**
   * Resolves when reads go to the new generation.
   * @throws ProjectorRefusal no such projection, or a rebuild of it is under way.
   * @throws Error an event can't be handled; what was live stays live.
   */
  rebuild(name: string, onProgress?: (progress: RebuildProgress) => void): Promise<RebuildResult>;
  /**
   * Tries the event again that stopped a projection. Resolves once it has caught up, or has been stopped again: the
   * answer says which.
   * @throws ProjectorRefusal no such projection, or it is not stopped.
   */
  retry(name: string): Promise<ProjectionStatus>;
  /** The same, leaving that event out. */
  skip(name: string): Promise<ProjectionStatus>;
}

/** The request makes no sense; nothing was done. */
export class ProjectorRefusal extends Error {
  override readonly name = "ProjectorRefusal";
  readonly code: "unknown_projection" | "not_stopped" | "not_running" | "rebuild_under_way";

  constructor(code: ProjectorRefusal["code"], message: string) {
    super(message);
    this.code = code;
  }
}
