import type { Unavailable } from "../engine.ts";
import type { EngineProvider } from "./engine-provider.ts";
import { failureOf } from "./failed-providers.ts";
import { firstLine } from "./first-line.ts";

/** What can be asked before anything is started. */
export interface AvailabilityCheck {
  /** Why there will be none. Undefined: there will be one, as far as can be told at a glance. */
  missingReason(): string | undefined;
}

/** Starts an engine of one kind in the first way that is there. */
export interface EngineStarter<Engine, Options extends object> extends AvailabilityCheck {
  /** Never throws: what could not be started is unavailable, with the reason. */
  (options?: Options): Promise<Engine | Unavailable>;
  /** The same with these options, for `describeWith`. */
  with(options: Options): (() => Promise<Engine | Unavailable>) & AvailabilityCheck;
  readonly engine: string;
  readonly providers: readonly EngineProvider<Engine, Options>[];
}

/** @param ways in the order of preference. */
export function engineStarter<Engine, Options extends object>(
  engine: string,
  ways: readonly EngineProvider<Engine, Options>[],
): EngineStarter<Engine, Options> {
  const why = (way: EngineProvider<Engine, Options>, options: Options) =>
    failureOf(engine, way.name) ?? way.missingReason(options);
  const usable = (options: Options) => ways.find((way) => why(way, options) === undefined);
  const missing = (options: Options) =>
    usable(options) === undefined ? `${engine}: ${ways.map((way) => why(way, options)).join("; ")}` : undefined;
  const start = async (options: Options): Promise<Engine | Unavailable> => {
    const way = usable(options);
    if (way === undefined) return { unavailable: missing(options) ?? "" };
    try {
      return await way.start(options);
    } catch (failure) {
      return { unavailable: `${engine}: ${way.name}: ${firstLine(failure)}` };
    }
  };
  return Object.assign((options?: Options) => start(options ?? ({} as Options)), {
    engine,
    providers: ways,
    missingReason: () => missing({} as Options),
    with: (options: Options) => Object.assign(() => start(options), { missingReason: () => missing(options) }),
  });
}
