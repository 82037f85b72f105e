export interface EngineUnavailableOptions extends ErrorOptions {
  readonly outcomeUnknown?: boolean;
  readonly isMisconfigured?: boolean;
}

/** An engine is closed, out of reach, or fails. */
export abstract class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
  /** A name for messages, such as "the event store". */
  abstract readonly engine: string;
  /** True if the operation may have been carried out. The caller must find out before it decides anything else. */
  readonly outcomeUnknown: boolean;

  /** True if the server refuses this process as configured, so that waiting does not help. The message says why. */
  readonly isMisconfigured: boolean;

  constructor(message: string, options: EngineUnavailableOptions = {}) {
    super(message, options);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.isMisconfigured = options.isMisconfigured ?? false;
  }
}
