import type { Unavailable } from "../engine.ts";
import { firstLine } from "./first-line.ts";
import type { Way } from "./way.ts";
import { failureOf } from "./ways-that-failed.ts";

/** What can be asked before anything is started. */
export interface Foreseeing {
  /** Why there will be none. Undefined: there will be one, as far as can be told at a glance. */
  missing(): string | undefined;
}

/** Starts an engine of one kind in the first way that is there. */
export interface Starter<Engine, Options extends object> extends Foreseeing {
  /** Never throws: what could not be started is unavailable, with the reason. */
  (options?: Options): Promise<Engine | Unavailable>;
  /** The same with these options, for `describeWith`. */
  with(options: Options): (() => Promise<Engine | Unavailable>) & Foreseeing;
  readonly engine: string;
  readonly ways: readonly Way<Engine, Options>[];
}

/** @param ways in the order of preference. */
export function starter<Engine, Options extends object>(
  engine: string,
  ways: readonly Way<Engine, Options>[],
): Starter<Engine, Options> {
  const why = (way: Way<Engine, Options>, options: Options) => failureOf(engine, way.name) ?? way.missing(options);
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
    ways,
    missing: () => missing({} as Options),
    with: (options: Options) => Object.assign(() => start(options), { missing: () => missing(options) }),
  });
}
