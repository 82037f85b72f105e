import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import {
  outcomeOf,
  type ProjectionStatus,
  type ProjectorControl,
  type RebuildProgress,
  type RebuildResult,
  type ReportedStatus,
} from "./control.ts";
import { type ProjectionRequest, REQUESTS, STATUSES } from "./projection-requests.ts";

/** Real time between two polls of requests, and between two reports of progress. */
const POLL_INTERVAL_MS = 250;

type Claimed = { -readonly [Name in keyof ProjectionRequest]: ProjectionRequest[Name] };

interface ServeRequestsOptions {
  readonly state: StateStore;
  readonly projection: string;
  /** The projector that runs the projection. */
  readonly projector: ProjectorControl;
  /** False: a newer release runs the projection by now, and its requests are left to that. */
  readonly mayServe: () => Promise<boolean>;
  /** Names this instance. */
  readonly instanceId: string;
  readonly signal: AbortSignal;
  /** Called if the state store is out of reach. Polling goes on. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Carries out the requests about one projection and reports its status. Only the instance that runs the projection may
 * call it. So the projector that claimed a request has ended if it is not this one, which then begins anew.
 */
export async function serveRequests(options: ServeRequestsOptions): Promise<void> {
  const { state, projection, projector, mayServe, instanceId, signal, onProblem } = options;
  let reported: string | undefined;
  /** The request that this instance has claimed, as it will be stored. */
  let claimed: Claimed | undefined;

  const statusNow = async () => (await projector.list()).find(({ name }) => name === projection);

  async function reportStatus(): Promise<void> {
    const current = await statusNow();
    if (current === undefined) return;
    const status: ReportedStatus = { state: current.state, error: current.error, failedAt: current.failedAt };
    const text = JSON.stringify(status);
    if (text === reported) return;
    await state.put(STATUSES, projection, status);
    reported = text;
  }

  const replace = ({ version }: StateRecord<ProjectionRequest>, request: ProjectionRequest) =>
    state.replace(REQUESTS, projection, version, request);

  async function retry(isTakenOver: boolean): Promise<ProjectionStatus> {
    const status = await statusNow();
    // A projector tries at its start what has stopped the one before.
    return isTakenOver && status?.state === "live" ? status : projector.retry(projection);
  }

  async function claim(record: StateRecord<ProjectionRequest>): Promise<void> {
    const request: Claimed = { ...record.value, worker: instanceId, progress: null };
    if ((await replace(record, { ...request })) === undefined) return;
    claimed = request;
    const onProgress = (progress: RebuildProgress) => {
      request.progress = progress;
    };
    void outcomeOf<RebuildResult | ProjectionStatus>(() =>
      request.verb === "rebuild" ? projector.rebuild(projection, onProgress) : retry(record.value.worker !== null),
    ).then((outcome) => {
      request.outcome = outcome;
    });
  }

  async function poll(): Promise<void> {
    await reportStatus();
    const record = await state.get<ProjectionRequest>(REQUESTS, projection);
    // What the projector's end has interrupted is left to the next one.
    if (signal.aborted || record === undefined || record.value.outcome !== null) return;
    if (record.value.id !== claimed?.id) {
      if (await mayServe()) await claim(record);
    } else if (claimed.outcome !== null || claimed.progress !== null) {
      await replace(record, { ...claimed });
    }
  }

  while (!signal.aborted) {
    await poll().catch(onProblem);
    await backgroundPause(POLL_INTERVAL_MS, signal);
  }
}
