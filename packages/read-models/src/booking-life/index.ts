export { changesOfBooking } from "./history-changes.ts";
export * from "./life.ts";
export * from "./public-events.ts";
export * from "./read-bookings.ts";
export * from "./read-events.ts";
export { type Part, segmentIndexes } from "./read-segments.ts";
export {
  firstOf,
  parseSegment,
  type RecordedBookingEvent,
  type Segment,
  type StoredSegment,
  storeSegment,
} from "./segments.ts";
