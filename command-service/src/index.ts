export { CommandHandler } from "./command-handling/command-handler.ts";
export { readAll, SealedEventStore } from "./command-handling/sealed-event-store.ts";
export * from "./composition/command-side.ts";
export { giveUpLog } from "./composition/give-up-log.ts";
export { changeSecretKey } from "./composition/secret-key-change.ts";
export { openReviewer } from "./documents/open-reviewer.ts";
export { readErasureRecords } from "./erasures/erasures.ts";
export { readErasures } from "./erasures/erasures-file.ts";
export type { OperatorServices } from "./operator/operator-services.ts";
export { commandOperatorRoutes } from "./operator/routes.ts";
export { summaryRoutes } from "./operator/summary.ts";
export * from "./operator/system.ts";
export { type ClockServices, NO_EMBEDDED_STORES, projectionRoutes } from "./operator/system.ts";
export { GatewayMonitor } from "./payments/gateway-monitor.ts";
export { receiveMoney } from "./payments/receive-money.ts";
export { advanceClock, type ClockDrivenWork } from "./processes/advance-clock.ts";
export { DueTaskList } from "./processes/due-task-list.ts";
export { assignSeats, runDueTask } from "./processes/run-saga.ts";
export { Scheduler } from "./processes/scheduler.ts";
export { commandRoutes } from "./routes.ts";
export {
  type BankAccount,
  type CommandServices,
  type FaultPoint,
  type WebhookServices,
  type WebhookServicesOptions,
  webhookServices,
} from "./services.ts";
