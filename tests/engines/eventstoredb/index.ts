export type { DoubleControl, DoubleState } from "./control/control.ts";
export type { AppendFault, Drop, SeenMember } from "./control/faults.ts";
export {
  type DoubleNode,
  type EventStoreDouble,
  type EventStoreDoubleOptions,
  startEventStoreDouble,
} from "./start.ts";
