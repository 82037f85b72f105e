/** One way to have an engine: a server that is given, a container, a program of this machine. */
export interface EngineProvider<Engine, Options> {
  /** What it is, in words. */
  readonly name: string;
  /** Where it is there and fails, tests fail: no other way takes its place in silence. */
  readonly isExpected?: true;
  /** Why it cannot be had in this way, with these options, as far as can be told at a glance. Undefined: it can. */
  missingReason(options: Options): string | undefined;
  /** What has to be done once before the first start: a build. @throws Error with the reason in one line. */
  prepare?(): Promise<void>;
  /** @throws Error it did not start. */
  start(options: Options): Promise<Engine>;
}
