import { SeatsBeingChanged } from "@travel-booking/command-service";
import { openObligations, readLog } from "@travel-booking/command-service/testing";
import { DAY } from "@travel-booking/domain";
import { EventStoreUnavailable, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { AnswerNotKept } from "@travel-booking/http";
import { GatewayTimeout, GatewayUnavailable, type LedgerEntry } from "@travel-booking/payment-gateway";
import { Acknowledgements } from "../audit/acknowledgements.ts";
import { Audit } from "../audit/audit.ts";
import { must } from "../audit/violation.ts";
import { Known, pick } from "../clients/known.ts";
import type { Step } from "../clients/steps.ts";
import { toCall, type WithoutKey } from "../clients/to-call.ts";
import { ACCOUNTS, FLIGHTS, GIFT } from "../scenario.ts";
import type { Interleaving } from "./interleaving.ts";
import { ProcessDied } from "./life.ts";
import { Outside } from "./outside.ts";
import { type Call, ServiceProcess } from "./service-process.ts";

interface BankEntry {
  readonly bookingId: string;
  readonly entryId: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
}

interface AskedCall extends Call {
  readonly askedAt: number;
}

const KEY_KEPT_MS = DAY;
/** Every so many-th client does not ask again. */
const GIVES_UP = 4;
const LONGEST_RETRY_MS = 60_000;
/**
 * What may go wrong without a fault of the service: whoever asked is told, and asks again; what is owed is tried again.
 */
const EXCUSES = [
  ProcessDied,
  GatewayTimeout,
  GatewayUnavailable,
  EventStoreUnavailable,
  StateStoreUnavailable,
  AnswerNotKept,
  SeatsBeingChanged,
];
const MOST_ROUNDS = 400;

/** The service, its clients, the bank and the gateway, with everything they do laid out turn by turn. */
export class World {
  readonly #outside: Outside;
  readonly #audit = new Audit();
  readonly #acknowledgements: Acknowledgements;
  readonly #known = new Known();
  readonly #calls: AskedCall[] = [];
  readonly #entries: BankEntry[] = [];
  readonly #log: RecordedEvent[] = [];
  /** Requests nobody has had an answer to yet. */
  readonly #unanswered = new Set<{ readonly call: AskedCall; readonly process: ServiceProcess }>();
  readonly #processes: ServiceProcess[];
  readonly #exclusive: boolean;
  #failure: unknown;

  constructor(interleaving: Interleaving, instances: number) {
    this.#outside = new Outside(interleaving);
    this.#exclusive = instances === 1;
    this.#acknowledgements = new Acknowledgements(this.#audit);
    this.#processes = Array.from({ length: instances }, () => this.#start());
  }

  /** Takes the steps, lets everything under way and everything due come to its end, and audits all along. */
  async play(steps: readonly Step[]): Promise<void> {
    for (const plan of FLIGHTS) {
      this.#launch(this.#process(0).operate({ flightId: plan.flightId, command: { type: "ScheduleFlight", plan } }));
      await this.#turns(20);
    }
    for (const accountId of ACCOUNTS) {
      const gift = { type: "AdjustPoints", accountId, adjustmentId: "gift", points: GIFT, reason: "a gift" } as const;
      this.#launch(this.#process(0).operate({ accountId, command: gift }));
      await this.#turns(20);
    }
    for (const step of steps) {
      this.#take(step);
      await this.#turns(step.turns);
      this.#audit.readLedger(await this.#ledger());
    }
    await this.#comeToRest();
    this.#audit.settled(await this.#ledger());
  }

  get log(): readonly RecordedEvent[] {
    return this.#log;
  }

  #take(step: Step): void {
    const { appendFaults, recordFaults, clock, gateway } = this.#outside;
    switch (step.kind) {
      case "time passes":
        clock.advance(step.milliseconds);
        if (step.timers) this.#launch(this.#process(0).timers());
        return;
      case "timers":
        this.#launch(this.#process(step.which).timers());
        return;
      case "gateway fails":
        gateway.failNext(step.call, ...step.faults);
        return;
      case "append fails":
        appendFaults.push(...step.faults);
        return;
      case "record fails":
        // A process that is alone with its disk comes to its end where that fails.
        if (!this.#exclusive) recordFaults.push(...step.faults);
        return;
      case "stall":
        this.#process(step.which).life.stall(step.milliseconds);
        return;
      case "ask the other":
        this.#askTheOther(step);
        return;
      case "crash": {
        const process = this.#process(step.which);
        if (step.atPoint === 0) process.life.end();
        else process.life.endAtPoint(step.atPoint);
        return;
      }
      case "repeat": {
        const call = pick(this.#calls, step.which);
        // A release takes no key, so repeating it is asking anew.
        if (call?.operation === "releaseSeatHold") this.#askAnew(call, step.which);
        else if (call !== undefined && clock.now() < call.askedAt + KEY_KEPT_MS) this.#ask(call, step.which);
        return;
      }
      case "money arrives":
        this.#moneyArrives(step);
        return;
      case "entry again": {
        const entry = pick(this.#entries, step.which);
        if (entry !== undefined) this.#receive(entry);
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
        this.#askAnew(call, step.which);
      }
    }
  }

  #askAnew(call: WithoutKey, which: number): void {
    const asked = { ...call, key: `key-${this.#calls.length}`, askedAt: this.#outside.clock.now() };
    this.#calls.push(asked);
    this.#ask(asked, which);
  }

  #ask(call: AskedCall, which: number): void {
    const process = this.#process(which);
    const asked = { call, process };
    this.#unanswered.add(asked);
    this.#launch(
      process.answer(call).then(async (response) => {
        if (!process.life.alive) return;
        this.#unanswered.delete(asked);
        await this.#readLog();
        const kept = this.#outside.clock.now() < call.askedAt + KEY_KEPT_MS;
        this.#acknowledgements.check(call, response, kept, this.#outside.commandOf.get(call.key));
        if (response.status === 201)
          this.#known.learn(call.operation, call.accountId, JSON.parse(String(response.json)));
      }),
    );
  }

  /** A request that is being worked on is sent to the next process as well, and its first process meets with something. */
  #askTheOther({ which, because, milliseconds }: Extract<Step, { kind: "ask the other" }>): void {
    const asked = pick([...this.#unanswered], which);
    if (asked === undefined) return;
    const place = this.#processes.indexOf(asked.process);
    if (because === "crash") asked.process.life.end();
    if (because === "stall") asked.process.life.stall(milliseconds);
    if (because === "cut off") asked.process.cutOff(milliseconds);
    this.#ask(asked.call, place + 1);
  }

  /** Clients that lost their connection ask again; not all of them, and not all where they asked before. */
  #retryWhatDiedWith(dead: ServiceProcess, place: number): void {
    for (const asked of this.#unanswered) {
      if (asked.process !== dead) continue;
      this.#unanswered.delete(asked);
      const index = this.#calls.indexOf(asked.call);
      if (index % GIVES_UP !== 0) this.#ask(asked.call, place + (index % 2));
    }
  }

  #moneyArrives({ which, part, currency }: Extract<Step, { kind: "money arrives" }>): void {
    const transfers = this.#known.payments.filter(({ body }) => body.method.bankTransfer !== null);
    const payment = pick(transfers, which)?.body;
    const reference = payment?.method.bankTransfer?.reference;
    if (payment === undefined || reference === undefined) return;
    const amount = { all: payment.amount, half: Math.ceil(payment.amount / 2), more: payment.amount + 500 }[part];
    const entryId = `entry-${this.#entries.length}`;
    const entry = { bookingId: payment.bookingId, entryId, reference, amount, currency };
    this.#entries.push(entry);
    this.#receive(entry);
  }

  #receive({ bookingId, ...entry }: BankEntry): void {
    const command = { type: "ReceiveTransfer", ...entry } as const;
    this.#launch(
      this.#process(0)
        .operate({ bookingId, command })
        .then((refused) => must(refused === undefined, `money was refused: ${refused}`)),
    );
  }

  #returnSent(which: number): void {
    const due = pick(
      this.#log.filter((event) => event.type === "ReturnDue"),
      which,
    );
    if (due === undefined) return;
    const { returnId } = due.data as { readonly returnId: string };
    const bookingId = due.stream.slice("booking-".length);
    this.#launch(this.#process(0).operate({ bookingId, command: { type: "MarkReturnSent", returnId } }));
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
    this.#launch(this.#process(0).operate({ bookingId, command: { type: "SettleRefund", refundId } }));
  }

  /** A living process: one that died is started again. */
  #process(which: number): ServiceProcess {
    const place = which % this.#processes.length;
    const present = this.#processes[place]!;
    if (present.life.alive) return present;
    const next = this.#start();
    this.#processes[place] = next;
    this.#retryWhatDiedWith(present, place);
    return next;
  }

  #start(): ServiceProcess {
    return new ServiceProcess(this.#outside, {
      exclusive: this.#exclusive,
      failed: (error) => this.#excuse(error),
    });
  }

  #launch(task: Promise<unknown>): void {
    task
      .catch((error) => this.#excuse(error))
      .catch((error) => {
        this.#failure ??= error;
      });
  }

  #excuse(error: unknown): void {
    if (EXCUSES.some((kind) => error instanceof kind)) return;
    this.#failure ??= error;
  }

  async #turns(count: number): Promise<void> {
    for (let turn = 0; turn < count && (await this.#outside.interleaving.giveOne()); turn += 1) await this.#readLog();
    await this.#readLog();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #readLog(): Promise<void> {
    const after = this.#log.at(-1)?.position ?? START;
    const events = await readLog(this.#outside.store, after);
    const fresh = events.filter((event) => event.position > (this.#log.at(-1)?.position ?? START));
    this.#log.push(...fresh);
    this.#audit.read(fresh);
  }

  async #ledger(): Promise<readonly LedgerEntry[]> {
    return Array.fromAsync(this.#outside.sandbox.ledger.entries());
  }

  /** Everything under way ends; then the clock goes from due time to due time until nothing is owed. */
  async #comeToRest(): Promise<void> {
    await this.#turns(Number.POSITIVE_INFINITY);
    this.#outside.appendFaults.length = 0;
    this.#outside.recordFaults.length = 0;
    let waiting: string | undefined;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const open = openObligations(this.#log);
      const [soonest] = open;
      if (soonest === undefined) return;
      const { clock } = this.#outside;
      // What could not be met a moment ago may have to wait for what falls due next.
      const next = waiting === soonest.key ? open.find(({ obligation }) => obligation.dueAt > clock.now()) : soonest;
      waiting = soonest.key;
      clock.set(Math.max(clock.now(), (next ?? soonest).obligation.dueAt));
      this.#outside.time.pass(LONGEST_RETRY_MS);
      this.#launch(this.#process(0).timers());
      await this.#turns(Number.POSITIVE_INFINITY);
    }
    must(false, `owed for ever: ${JSON.stringify(openObligations(this.#log)[0])}`);
  }
}
