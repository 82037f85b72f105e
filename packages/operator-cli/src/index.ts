export { OperatorRefused, OperatorUnreachable } from "./client/errors.ts";
export { OperatorClient, type OperatorMethod } from "./client/operator-client.ts";
