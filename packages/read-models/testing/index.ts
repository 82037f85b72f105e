export { type EndpointFixture, putEndpoint, putEvent } from "./webhook-writes.ts";
