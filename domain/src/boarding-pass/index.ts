export * from "./bcbp/bar-coded-boarding-pass.ts";
export * from "./bcbp/flight-designator.ts";
export * from "./bcbp/passenger-name.ts";
export * from "./boarding-at.ts";
export * from "./boarding-group.ts";
export * from "./booking-code.ts";
export * from "./sequence.ts";
