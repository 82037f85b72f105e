export { answer, type Respond } from "./answer.ts";
export { bookingOf, firsts, type Received, type ReceivedEvent } from "./received.ts";
export { Receiver } from "./receiver.ts";
export { isSigned, isStandardSigned } from "./signatures.ts";
