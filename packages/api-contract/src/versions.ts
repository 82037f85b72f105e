/** The versions of the API there are, oldest first (docs/rules.md#api-versions). */
export const API_VERSIONS: readonly [string, ...string[]] = ["2026-11-01"];

/** What an account is given when it is made. */
export const CURRENT_API_VERSION = "2026-11-01";
