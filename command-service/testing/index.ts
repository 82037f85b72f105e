export { apiRequest, type TestRequest } from "./api-request.ts";
export { openObligations } from "./open-obligations.ts";
export { readLog } from "./read-log.ts";
