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

/** The stores where a process keeps its state. */
interface StateEngines {
  readonly state: StateStore;
  /** The keys of personal words. Embedded keys have a store of their own, so that a backup has them apart. */
  readonly keys: StateStore;
  /** Identifies this process among others on the same servers. Undefined: no other process uses the stores. */
  readonly instance: Instance | undefined;
}

/** What every process makes from its state, with any engines. */
export interface Core extends StateEngines {
  readonly clock: SandboxClock;
  readonly secretKeys: SecretKeys;
  readonly words: SealedWords;
  readonly ids: CommandIdGenerator;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}

/** Counters of the rate limits. A full counter forgets, so there are two. So failed attempts evict no customers. */
export interface LimitCounters {
  readonly credentials: RateCounter;
  readonly addresses: RateCounter;
}

/** What roles need to answer requests. */
export interface ApiCore extends Core {
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  /** Grows with every change of a read model. Absent if other processes change read models, too. */
  readonly refreshCount?: (() => number) | undefined;
  readonly counters: LimitCounters;
  readonly positions: WritePositions;
  readonly readiness: NonNullable<Readiness["readiness"]>;
  /** False while background work must not begin, because it could not be recorded. Absent: true. */
  readonly mayBegin?: (() => boolean) | undefined;
}

/** What a role adds to its process. */
export interface Part extends Pick<Readiness, "readinessDetails">, Pick<AppOptions, "refuseWrite"> {
  readonly routes?: readonly Route[];
  readonly plainRoutes?: readonly PlainRoute[];
  readonly operatorRoutes?: readonly OperatorRoute[];
  /** Where the role records the positions of its writes. Absent: the role writes nothing. */
  readonly positions?: WritePositions;
  readonly issuesTokens?: true;
  /** Ends waiting requests, because servers that stop wait for all requests. */
  readonly endWaits?: () => void;
}

/** @throws StartupError the secret key is not the stored one. */
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
