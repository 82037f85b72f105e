export interface EngineUnavailableOptions extends ErrorOptions {
  readonly outcomeUnknown?: boolean;
  readonly isMisconfigured?: boolean;
}

/** An engine is closed, out of reach, or fails. */
export abstract class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
  /** In words: "the event store". */
  abstract readonly engine: string;
  /** True: what was asked for may have been done, and the caller has to find out before it decides anything else. */
  readonly outcomeUnknown: boolean;

  /** True: the server refuses this process as it is set up, so that waiting does not help. The message says why. */
  readonly isMisconfigured: boolean;

  constructor(message: string, options: EngineUnavailableOptions = {}) {
    super(message, options);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.isMisconfigured = options.isMisconfigured ?? false;
  }
}
