export { apiRequest, type TestRequest } from "./api-request.ts";
export { NO_DOCUMENTS } from "./no-documents.ts";
export { NO_QUOTAS } from "./no-quotas.ts";
export { NOTHING_SEALED } from "./nothing-sealed.ts";
export { openDueTasks } from "./open-due-tasks.ts";
export { readLog } from "./read-log.ts";
