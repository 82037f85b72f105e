import type { Instance } from "@travel-booking/engines/leases";
import type { RateCounter } from "@travel-booking/engines/rate-counter";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { AppOptions, Lifecycle, PlainRoute, Readiness, Route } from "@travel-booking/http";
import type { OperatorRoute } from "@travel-booking/http/operator";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { type CommandIdGenerator, commandIdGenerator, Metrics, type SandboxClock } from "@travel-booking/runtime";
import type { ServiceContext } from "./run-service.ts";
import { type KeySettings, openSecretKeys, type SecretKeys } from "./secret-key.ts";
import { openClock } from "./shared-state.ts";

/** Where a process keeps its state. */
interface StateEngines {
  readonly state: StateStore;
  /** The keys of personal words: a store of their own where state is embedded, so that a backup has them apart. */
  readonly keys: StateStore;
  /** This process among others on the same servers; undefined: no other process uses the stores. */
  readonly instance: Instance | undefined;
}

/** What a process has of its state, whatever its engines are. */
export interface Core extends StateEngines {
  readonly clock: SandboxClock;
  readonly secretKeys: SecretKeys;
  readonly words: SealedWords;
  readonly ids: CommandIdGenerator;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}

/** What the rate limits count in. Two, because a full counter forgets: failed attempts must not evict customers. */
export interface LimitCounters {
  readonly credentials: RateCounter;
  readonly addresses: RateCounter;
}

/** What the roles work on that answer requests. */
export interface ApiCore extends Core {
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  /** Grows with every change of a read model; absent if other processes change them, too. */
  readonly refreshCount?: (() => number) | undefined;
  readonly counters: LimitCounters;
  readonly positions: WritePositions;
  readonly readiness: NonNullable<Readiness["readiness"]>;
  /** False while nothing that begins by itself may begin, because it could not be recorded; absent: true. */
  readonly mayBegin?: (() => boolean) | undefined;
}

/** What a role adds to its process. */
export interface Part extends Pick<Readiness, "readinessDetails">, Pick<AppOptions, "refuseWrite"> {
  readonly routes?: readonly Route[];
  readonly plainRoutes?: readonly PlainRoute[];
  readonly operatorRoutes?: readonly OperatorRoute[];
  /** Where the positions of its own writes go; absent: it writes nothing. */
  readonly positions?: WritePositions;
  readonly issuesTokens?: true;
  /** Ends the requests that wait for something: the servers wait for them when they stop. */
  readonly endWaits?: () => void;
}

/** @throws StartupError the secret key is another one. */
export async function openCore(
  { machineClock, unusual }: ServiceContext,
  { state, keys, instance }: StateEngines,
  settings: KeySettings,
): Promise<Core> {
  const clock = await openClock(state, machineClock);
  const secretKeys = await openSecretKeys(settings, { state, clock, unusual });
  const { secretKey } = secretKeys;
  const log = state === keys ? undefined : state;
  const words = new SealedWords({ state: keys, log, secretKey, shared: instance !== undefined });
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle = { stopping: false };
  return { state, keys, instance, clock, secretKeys, words, ids: commandIdGenerator(clock), metrics, lifecycle };
}
