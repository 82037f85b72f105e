export { type HandMadeEndpoint, putEndpoint, putEvent } from "./webhook-writes.ts";
