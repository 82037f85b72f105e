import { errorResponse } from "../errors/error-response.ts";

/** The versions of the API there are, oldest first (decisions, "Errors, limits, versions"). */
export const API_VERSIONS: readonly string[] = ["2026-11-01"];

/** What an account is given when it is made. */
export const CURRENT_API_VERSION = "2026-11-01";

export const UNKNOWN_VERSION = errorResponse(400, [`Service-Version must be one of ${API_VERSIONS.join(", ")}`]);
