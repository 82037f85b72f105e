export { bookingOf, distinctIds, type ReceivedDelivery, type ReceivedEvent } from "./received.ts";
export { Receiver } from "./receiver.ts";
export { type Respond, respondWith } from "./respond-with.ts";
export { isSigned, isStandardSigned } from "./signatures.ts";
