import { auditLog } from "@travel-booking/command-service/audit-log";
import { openDueTasks, readLog } from "@travel-booking/command-service/testing";
import {
  AllocationsUndecided,
  type BankEntry,
  DAY,
  HOUR,
  type OperatorDecisionCommand,
  SeatChangeInProgress,
  type TransferMatch,
} from "@travel-booking/domain";
import { EventStoreUnavailable, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { ResponseNotStored } from "@travel-booking/http";
import { GatewayTimeout, GatewayUnavailable } from "@travel-booking/payment-gateway";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { Audit } from "../audit/audit.ts";
import { invariant } from "../audit/invariant.ts";
import { ResponseAudit } from "../audit/response-audit.ts";
import { KnownResources, pick } from "../clients/known-resources.ts";
import type { Step } from "../clients/steps.ts";
import { type CallWithoutKey, toCall } from "../clients/to-call.ts";
import { ACCOUNTS, FLIGHTS, INITIAL_POINTS, SOLD, shipsOf } from "../scenario.ts";
import { ExternalSystems } from "./external-systems.ts";
import type { Interleaving } from "./interleaving.ts";
import { ProcessCrashed } from "./process-lifetime.ts";
import { type Call, ServiceProcess } from "./service-process.ts";

interface NamedEntry {
  readonly entry: BankEntry;
  readonly match: TransferMatch;
}

interface SentCall extends Call {
  readonly sentAt: number;
}

const KEY_RETENTION_MS = DAY;
const TOLERANCE = { earlier: HOUR, later: 3 * HOUR };
/** Every so many-th client does not ask again. */
const NO_RETRY_EVERY = 4;
const MAX_BACKOFF_MS = 60_000;
/**
 * What may go wrong without a fault of the service: whoever asked is told, and asks again; what is owed is tried again.
 */
const EXPECTED_ERRORS = [
  ProcessCrashed,
  GatewayTimeout,
  GatewayUnavailable,
  EventStoreUnavailable,
  StateStoreUnavailable,
  ResponseNotStored,
  SeatChangeInProgress,
  AllocationsUndecided,
];
const MAX_ROUNDS = 400;

/** The service, its clients, the bank and the gateway, with everything they do laid out turn by turn. */
export class Simulation {
  readonly #outside: ExternalSystems;
  readonly #audit = new Audit(SOLD);
  readonly #acknowledgements: ResponseAudit;
  readonly #known = new KnownResources();
  readonly #calls: SentCall[] = [];
  readonly #entries: NamedEntry[] = [];
  readonly #log: RecordedEvent[] = [];
  /** Requests nobody has had an answer to yet. */
  readonly #unanswered = new Set<{ readonly call: SentCall; readonly process: ServiceProcess }>();
  readonly #processes: ServiceProcess[];
  readonly #exclusive: boolean;
  #failure: unknown;

  constructor(interleaving: Interleaving, instances: number) {
    this.#outside = new ExternalSystems(interleaving);
    this.#exclusive = instances === 1;
    this.#acknowledgements = new ResponseAudit(this.#audit);
    this.#processes = Array.from({ length: instances }, () => this.#start());
  }

  /** Takes the steps, lets everything under way and everything due come to its end, and audits all along. */
  async run(steps: readonly Step[]): Promise<void> {
    for (const plan of FLIGHTS) {
      this.#launch(
        this.#process(0).executeOperatorCommand({ flightId: plan.flightId, command: { type: "ScheduleFlight", plan } }),
      );
      await this.#turns(20);
    }
    for (const accountId of ACCOUNTS) {
      const gift = {
        type: "AdjustPoints",
        accountId,
        adjustmentId: "gift",
        points: INITIAL_POINTS,
        reason: "a gift",
      } as const;
      this.#launch(this.#process(0).executeOperatorCommand({ accountId, command: gift }));
      await this.#turns(20);
    }
    for (const step of steps) {
      this.#apply(step);
      await this.#turns(step.turns);
      this.#audit.checkLedger(await this.#ledger());
    }
    await this.#auditAsOperators();
    await this.#drain();
    await this.#auditAsOperators();
    this.#audit.checkFinalState(await this.#ledger());
  }

  /** What `backup verify` finds: it must be true whatever is under way. */
  async #auditAsOperators(): Promise<void> {
    const streams = [...new Set(this.#log.map(({ stream }) => stream))];
    for await (const finding of auditLog(this.#outside.eventStore, streams)) invariant(false, finding);
  }

  get log(): readonly RecordedEvent[] {
    return this.#log;
  }

  #apply(step: Step): void {
    const { appendFaults, stateFaults, clock, gateway } = this.#outside;
    switch (step.kind) {
      case "time passes":
        clock.advance(step.milliseconds);
        if (step.timers) this.#launch(this.#process(0).runDueTasks());
        return;
      case "timers":
        this.#launch(this.#process(step.which).runDueTasks());
        return;
      case "gateway fails":
        gateway.failNext(step.call, ...step.faults);
        return;
      case "append fails":
        appendFaults.push(...step.faults);
        return;
      case "record fails":
        // A process that is alone with its disk comes to its end where that fails.
        if (!this.#exclusive) stateFaults.push(...step.faults);
        return;
      case "stall":
        this.#process(step.which).lifetime.stall(step.milliseconds);
        return;
      case "ask the other":
        this.#resendToNextProcess(step);
        return;
      case "crash": {
        const process = this.#process(step.which);
        if (step.atPoint === 0) process.lifetime.crash();
        else process.lifetime.crashAtFaultPoint(step.atPoint);
        return;
      }
      case "repeat": {
        const call = pick(this.#calls, step.which);
        // A release takes no key, so repeating it is asking anew.
        if (call?.operation === "releaseSeatHold") this.#sendNew(call, step.which);
        else if (call !== undefined && clock.now() < call.sentAt + KEY_RETENTION_MS) this.#send(call, step.which);
        return;
      }
      case "money arrives":
        this.#moneyArrives(step);
        return;
      case "decide on flight":
        this.#decideOn(step);
        return;
      case "control sweep":
        this.#controlSweep(step.flightId, step.pauses ? "PauseDisruption" : "ResumeDisruption", step.which);
        return;
      case "entry again": {
        const entry = pick(this.#entries, step.which);
        if (entry !== undefined) this.#receive(entry);
        return;
      }
      case "entry sent back": {
        const entryId = pick(this.#entries, step.which)?.entry.entryId;
        if (entryId === undefined) return;
        const command = { type: "MarkEntryReturned", entryId } as const;
        this.#launch(this.#process(0).executeOperatorCommand({ entryId, command }));
        return;
      }
      case "entry reversed": {
        const entryId = pick(this.#entries, step.which)?.entry.entryId;
        if (entryId === undefined) return;
        this.#launch(this.#process(0).reverseMoney(entryId, step.cancelBooking));
        return;
      }
      case "return sent":
        this.#returnSent(step.which);
        return;
      case "refund settled":
        this.#refundSettled(step.which);
        return;
      default: {
        const call = toCall(step, this.#known);
        if (call === undefined) return;
        this.#sendNew(call, step.which);
      }
    }
  }

  #sendNew(call: CallWithoutKey, which: number): void {
    const asked = { ...call, key: `key-${this.#calls.length}`, sentAt: this.#outside.clock.now() };
    this.#calls.push(asked);
    this.#send(asked, which);
  }

  #send(call: SentCall, which: number): void {
    const process = this.#process(which);
    const asked = { call, process };
    this.#unanswered.add(asked);
    this.#launch(
      process.handleRequest(call).then(async (response) => {
        if (!process.lifetime.alive) return;
        this.#unanswered.delete(asked);
        await this.#readLog();
        const kept = this.#outside.clock.now() < call.sentAt + KEY_RETENTION_MS;
        this.#acknowledgements.check(call, response, kept, this.#outside.commandIdByKey.get(call.key));
        if (response.status === 201)
          this.#known.record(call.operation, call.accountId, JSON.parse(String(response.json)));
      }),
    );
  }

  /** A request that is being worked on is sent to the next process as well, and its first process meets with something. */
  #resendToNextProcess({ which, because, milliseconds }: Extract<Step, { kind: "ask the other" }>): void {
    const asked = pick([...this.#unanswered], which);
    if (asked === undefined) return;
    const place = this.#processes.indexOf(asked.process);
    if (because === "crash") asked.process.lifetime.crash();
    if (because === "stall") asked.process.lifetime.stall(milliseconds);
    if (because === "cut off") asked.process.partitionStateStore(milliseconds);
    this.#send(asked.call, place + 1);
  }

  /** Clients that lost their connection ask again; not all of them, and not all where they asked before. */
  #retryRequestsOf(dead: ServiceProcess, place: number): void {
    for (const asked of this.#unanswered) {
      if (asked.process !== dead) continue;
      this.#unanswered.delete(asked);
      const index = this.#calls.indexOf(asked.call);
      if (index % NO_RETRY_EVERY !== 0) this.#send(asked.call, place + (index % 2));
    }
  }

  #moneyArrives({ which, part, currency, named }: Extract<Step, { kind: "money arrives" }>): void {
    const transfers = this.#known.payments.filter(({ body }) => body.method.bankTransfer !== null);
    const { body: payment, accountId } = pick(transfers, which) ?? {};
    const reference = payment?.method.bankTransfer?.reference;
    if (payment === undefined || accountId === undefined || reference === undefined) return;
    const amount = { all: payment.amount, half: Math.ceil(payment.amount / 2), more: payment.amount + 500 }[part];
    const { id: paymentId, bookingId } = payment;
    const entry = { entryId: `entry-${this.#entries.length}`, amount, currency };
    const match = { accountId, bookingId, paymentId, reference, currency: payment.currency };
    this.#entries.push({ entry, match });
    this.#receive({ entry, match: named ? match : null });
  }

  #receive({ entry, match }: { readonly entry: BankEntry; readonly match: TransferMatch | null }): void {
    // It may have been matched, or sent back, before this gets there.
    const told = match === null ? ["entry_differs", "entry_returned"] : ["entry_returned"];
    this.#launch(
      this.#process(0)
        .receiveMoney(entry, match)
        .then((refused) => invariant(refused === undefined || told.includes(refused), `money was refused: ${refused}`)),
    );
  }

  /** By the plan as the log has it; somebody else may be faster. */
  #decideOn({ flightId, as, which, moves }: Extract<Step, { kind: "decide on flight" }>): void {
    const revision = this.#audit.flights.get(flightId)?.revision ?? 0;
    const place = FLIGHTS.findIndex((flight) => flight.flightId === flightId);
    const disruptionId = `dis_${String(this.#log.length * FLIGHTS.length + place).padStart(32, "0")}`;
    const departsAt = (this.#audit.flights.get(flightId)?.departsAt ?? 0) + moves;
    const into = FLIGHTS.map((flight) => flight.flightId).filter((other) => other !== flightId);
    const policy = (["refund", "offer", "move"] as const)[which % 3];
    const confirmed = [...this.#audit.bookings].flatMap(([id, { status }]) => (status === "confirmed" ? [id] : []));
    const command = {
      type: as,
      revision,
      reason: null,
      ...(as === "CancelFlight" && { policy, ...(which % 6 > 0 && policy !== "refund" && { into }), disruptionId }),
      ...(as === "RetimeFlight" && { disruptionId, departsAt, tolerance: TOLERANCE }),
      ...(as === "ChangeEquipment" && { disruptionId, cabins: shipsOf(flightId)[which % 2], confirmed }),
    } as OperatorDecisionCommand;
    this.#launch(this.#process(which).executeOperatorCommand({ flightId, command }));
  }

  #controlSweep(flightId: string, type: "PauseDisruption" | "ResumeDisruption", which = 0): void {
    for (const disruptionId of this.#audit.flights.get(flightId)?.disruptions.keys() ?? []) {
      this.#launch(this.#process(which).executeOperatorCommand({ flightId, command: { type, disruptionId } }));
    }
  }

  #returnSent(which: number): void {
    const due = pick(
      this.#log.filter((event) => event.type === "ReturnDue"),
      which,
    );
    if (due === undefined) return;
    const { returnId } = due.data as { readonly returnId: string };
    const bookingId = due.stream.slice("booking-".length);
    this.#launch(this.#process(0).executeOperatorCommand({ bookingId, command: { type: "MarkReturnSent", returnId } }));
  }

  #refundSettled(which: number): void {
    const started = this.#log.filter(
      (event) =>
        event.type === "RefundStarted" && (event.data as { readonly settlesAt: number | null }).settlesAt !== null,
    );
    const refund = pick(started, which);
    if (refund === undefined) return;
    const { refundId } = refund.data as { readonly refundId: string };
    const bookingId = refund.stream.slice("booking-".length);
    this.#launch(this.#process(0).executeOperatorCommand({ bookingId, command: { type: "SettleRefund", refundId } }));
  }

  /** A living process: one that died is started again. */
  #process(which: number): ServiceProcess {
    const place = which % this.#processes.length;
    const present = this.#processes[place]!;
    if (present.lifetime.alive) return present;
    const next = this.#start();
    this.#processes[place] = next;
    this.#retryRequestsOf(present, place);
    return next;
  }

  #start(): ServiceProcess {
    return new ServiceProcess(this.#outside, {
      exclusive: this.#exclusive,
      onFailed: (error) => this.#recordUnlessExpected(error),
    });
  }

  #launch(task: Promise<unknown>): void {
    task
      .catch((error) => this.#recordUnlessExpected(error))
      .catch((error) => {
        this.#failure ??= error;
      });
  }

  #recordUnlessExpected(error: unknown): void {
    if (EXPECTED_ERRORS.some((kind) => error instanceof kind)) return;
    this.#failure ??= error;
  }

  async #turns(count: number): Promise<void> {
    for (let turn = 0; turn < count && (await this.#outside.interleaving.runNextTurn()); turn += 1)
      await this.#readLog();
    await this.#readLog();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #readLog(): Promise<void> {
    const after = this.#log.at(-1)?.position ?? START;
    const events = await readLog(this.#outside.eventStore, after);
    const fresh = events.filter((event) => event.position > (this.#log.at(-1)?.position ?? START));
    this.#log.push(...fresh);
    this.#audit.applyEvents(fresh);
  }

  async #ledger(): Promise<readonly LedgerEntry[]> {
    return Array.fromAsync(this.#outside.sandbox.ledger.entries());
  }

  /** Everything under way ends; then the clock goes from due time to due time until nothing is owed. */
  async #drain(): Promise<void> {
    await this.#turns(Number.POSITIVE_INFINITY);
    this.#outside.appendFaults.length = 0;
    this.#outside.stateFaults.length = 0;
    for (const { flightId } of FLIGHTS) {
      const sweeps = [...(this.#audit.flights.get(flightId)?.disruptions.values() ?? [])];
      if (sweeps.some(({ status }) => status === "paused")) this.#controlSweep(flightId, "ResumeDisruption");
    }
    await this.#turns(Number.POSITIVE_INFINITY);
    let waiting: string | undefined;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const open = openDueTasks(this.#log);
      const [soonest] = open;
      if (soonest === undefined) return;
      const { clock } = this.#outside;
      // What could not be met a moment ago may have to wait for what falls due next.
      const next = waiting === soonest.key ? open.find(({ task }) => task.dueAt > clock.now()) : soonest;
      waiting = soonest.key;
      clock.set(Math.max(clock.now(), (next ?? soonest).task.dueAt));
      this.#outside.time.advance(MAX_BACKOFF_MS);
      this.#launch(this.#process(0).runDueTasks());
      await this.#turns(Number.POSITIVE_INFINITY);
    }
    invariant(false, `owed for ever: ${JSON.stringify(openDueTasks(this.#log)[0])}`);
  }
}
