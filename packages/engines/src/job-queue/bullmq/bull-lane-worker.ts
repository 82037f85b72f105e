import { within } from "@travel-booking/runtime/real-time";
import { type Job, Worker } from "bullmq";
import { type RedisConnection, unavailable } from "../../redis/index.ts";
import { type Pauses, pauseAfter } from "../pauses.ts";
import type { LaneHandler, LaneWorker, LaneWorkerOptions } from "../port.ts";
import { WorkerClients } from "./clients.ts";
import { LanesInHand } from "./lanes-in-hand.ts";
import type { LaneJob } from "./options.ts";
import { sparingly } from "./sparingly.ts";
import type { WakeUps } from "./wake-ups.ts";

export interface BullLaneWorkerOptions extends LaneWorkerOptions {
  readonly redis: RedisConnection;
  readonly name: string;
  readonly prefix: string;
  readonly wakeUps: WakeUps;
  readonly handler: LaneHandler;
  readonly onProblem: (error: unknown) => void;
  readonly pauses: Pauses;
  readonly lockMs: number;
}

/** Real time: what a server may take to hear how the last runs ended. */
const FAREWELL_MS = 2_000;
const REST_MS = 1_000;

/** Works lanes in this process, for as long as it lives: also through a Redis that is away, emptied or another one. */
export class BullLaneWorker implements LaneWorker {
  readonly #options: BullLaneWorkerOptions;
  readonly #clients: WorkerClients;
  readonly #inHand: LanesInHand;
  readonly #worker: Worker<LaneJob>;
  readonly #tell: (error: Error) => void;
  #resting: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: BullLaneWorkerOptions) {
    const { redis, name, prefix, concurrency, lockMs, pauses, onProblem } = options;
    this.#options = options;
    this.#clients = new WorkerClients(redis);
    this.#inHand = new LanesInHand(lockMs);
    this.#worker = new Worker<LaneJob>(name, (job) => this.#run(job), {
      connection: this.#clients.first,
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A lane whose workers have died is worked all the same: a job that is given up would be a wake-up that is lost.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
      settings: { backoffStrategy: (failures) => pauseAfter(failures, pauses) },
    });
    const password = redis.client.options.password ?? undefined;
    const tell = sparingly(onProblem);
    this.#tell = (error) => tell(unavailable("the job queue", error, password));
    this.#worker.on("error", (error) => {
      this.#tell(error);
      if (error.name === "ReplyError") this.#rest();
    });
    this.#worker.on("locksRenewed", ({ jobIds }) => this.#inHand.hold(jobIds));
    this.#worker.on("lockRenewalFailed", (jobIds) => this.#inHand.lose(jobIds));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #run(job: Job<LaneJob>): Promise<void> {
    const { wakeUps, handler, onProblem, pauses } = this.#options;
    const { id = "", attemptsMade } = job;
    const { lane } = job.data;
    const signal = await this.#inHand.take(id, lane);
    try {
      await wakeUps.runBegins(lane).catch(this.#tell);
      await handler(lane, signal);
      await wakeUps.runEnds(lane).catch(this.#tell);
    } catch (error) {
      onProblem(error);
      await wakeUps.runFails(lane, pauseAfter(attemptsMade + 1, pauses)).catch(this.#tell);
      // Kept with the job: what the handler said may be nobody's business there.
      throw new Error("the run failed");
    } finally {
      this.#inHand.put(id);
    }
  }

  /** What the server refuses, the library asks it again at once, thousands of times a second. */
  #rest(): void {
    if (this.#resting !== undefined || this.#stopped !== undefined) return;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#worker.resume();
    }, REST_MS);
    this.#worker.pause(true);
  }

  /** The library waits for ever for a server that is away to hear how the last runs ended; this does not. */
  async #stop(): Promise<void> {
    clearTimeout(this.#resting);
    const closing = this.#worker.close();
    const isClosed = () =>
      within(closing, FAREWELL_MS, () => new Error("late")).then(
        () => true,
        () => false,
      );
    do await this.#inHand.empty();
    while (!(await isClosed()) && this.#inHand.size > 0);
    await this.#clients.end();
    await isClosed();
  }
}
