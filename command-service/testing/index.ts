export { apiRequest, type TestRequest } from "./api-request.ts";
export { NO_DOCUMENTS } from "./no-documents.ts";
export { openObligations } from "./open-obligations.ts";
export { readLog } from "./read-log.ts";
