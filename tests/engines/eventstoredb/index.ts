export type { DoubleControl, DoubleState } from "./control/control.ts";
export type { AppendFault, Drop } from "./control/faults.ts";
export { type EventStoreDouble, type EventStoreDoubleOptions, startEventStoreDouble } from "./start.ts";
