import {
  assignMissingSeats,
  DECIDERS,
  type DueTask,
  type Ports,
  type Saga,
  type Step,
  sagaOf,
} from "@travel-booking/domain";
import { AppendRefused } from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { realTime } from "@travel-booking/runtime/real-time";
import {
  type CommandContext,
  latestPosition,
  StreamBusy,
  systemContext,
  TOO_LARGE,
} from "../command-handling/command.ts";
import type { AnyDecider } from "../command-handling/folded-stream.ts";
import { readDocument } from "../documents/document-files.ts";
import { seatPreferencesOf } from "../passengers/email-claims.ts";
import type { CommandServices } from "../services.ts";

export interface SagaResult<Result> {
  readonly result: Result;
  /** A read model that has reached this log position shows everything that the saga did. */
  readonly position: bigint;
}

/**
 * Runs a saga to its end, one step after another.
 * @param firstContext context of the first command, if it is a step of a request. Others are the service's own.
 * @param mayGoOn false: no further step begins.
 * @throws Error an error of a step that the saga does not catch.
 */
export async function runSaga<Result>(
  services: CommandServices,
  saga: Saga<Result>,
  firstContext?: CommandContext,
  mayGoOn: () => boolean = () => true,
): Promise<SagaResult<Result>> {
  let position = 0n;
  let requestContext = firstContext;
  async function run(step: Step): Promise<unknown> {
    if (!mayGoOn()) throw new Error("the service is stopping");
    if (step.type === "faultPoint") return services.reachedFaultPoint(step.name);
    if (step.type === "call") return callPort(services, step.port, step.args);
    const stream = `${step.category}-${step.id}`;
    const decider: AnyDecider = DECIDERS[step.category];
    if (step.type === "readState") return services.handler.readState({ stream, decider, reply: step.reply });
    const context = requestContext ?? systemContext(services);
    requestContext = undefined;
    const command = typeof step.command === "function" ? step.command(context.commandId) : step.command;
    const reply = step.reply ?? (() => undefined);
    const lastStep = step.isLast;
    const outcome = await services.handler.execute({
      stream,
      decider,
      command,
      context,
      reply,
      ...(lastStep && { lastStep }),
    });
    if (!outcome.accepted && outcome.rejection.code === TOO_LARGE) throw new AppendRefused(`${stream}: too large`);
    position = latestPosition(position, outcome.position);
    return outcome;
  }
  let next = saga.next();
  while (!next.done) {
    next = await run(next.value).then(
      (answer) => saga.next(answer),
      (error) => saga.throw(error),
    );
  }
  return { result: next.value, position };
}

/**
 * Runs the follow-up of a decision, within its request. The decision stands. What can't be done or learnt in time is
 * left to the due tasks. Then the result is `undefined`.
 * @param context of the first command.
 */
export async function runFollowUp<Result>(
  services: CommandServices,
  saga: Saga<Result>,
  context?: CommandContext,
): Promise<SagaResult<Result> | undefined> {
  try {
    return await runSaga(services, saga, context);
  } catch (error) {
    if (!LEFT_TO_DUE_TASKS.some((kind) => error instanceof kind)) throw error;
    services.logger.warn({ err: error }, "what follows from a request is left to its due task");
    return undefined;
  }
}

const LEFT_TO_DUE_TASKS = [EngineUnavailable, StreamBusy, AppendRefused];

/** Returns the log position that shows the task done. */
export async function runDueTask(services: CommandServices, task: DueTask, mayGoOn?: () => boolean): Promise<bigint> {
  return (await runSaga(services, sagaOf(task), undefined, mayGoOn)).position;
}

/** Assigns seats before a boarding pass is issued. Not `done`: another seat change is under way, so try again. */
export async function assignSeats(services: CommandServices, bookingId: string) {
  const { result, position } = await runSaga(services, assignMissingSeats(bookingId));
  return { done: result, position };
}

type PortImplementations = {
  readonly [Port in keyof Ports]: (
    services: CommandServices,
    ...args: Parameters<Ports[Port]>
  ) => Promise<ReturnType<Ports[Port]>>;
};

const PORTS: PortImplementations = {
  sendRefund: ({ gateway }, refund) => gateway.refund(refund),
  refundOutcome: ({ gateway }, refund) => gateway.refundOutcome(refund),
  cancelCharge: ({ gateway }, charge) => gateway.cancelCharge(charge),
  finishCharge: ({ gateway }, charge) => gateway.finishCharge(charge),
  chargeOutcome: ({ gateway }, charge) => gateway.chargeOutcome(charge),
  readDocument,
  seatPreferences: seatPreferencesOf,
  async pause({ realTime: { pause } = realTime }, milliseconds) {
    await pause(milliseconds);
  },
  warn: async ({ logger }, message, fields) => logger.warn(fields, message),
};

async function callPort(services: CommandServices, port: keyof Ports, args: readonly unknown[]): Promise<unknown> {
  const call = PORTS[port] as (services: CommandServices, ...args: readonly unknown[]) => Promise<unknown>;
  try {
    return await services.waitUncounted(call(services, ...args));
  } catch (error) {
    services.gatewayMonitor.report(error);
    throw error;
  }
}
