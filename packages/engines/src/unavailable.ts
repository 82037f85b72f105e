/** An engine is closed, out of reach, or fails. */
export abstract class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
  /** In words: "the event store". */
  abstract readonly engine: string;
  /** True: what was asked for may have been done, and the caller has to find out before it decides anything else. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: ErrorOptions & { readonly outcomeUnknown?: boolean } = {}) {
    super(message, options);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}
