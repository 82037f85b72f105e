import { MAX_CONNECTIONS } from "@travel-booking/http";

/** Files open besides connections: stores, uploads, a browser, a reviewer, deliveries, servers. */
export const OTHER_FILES = 256;
/** The share of the operator's port. The public port has the rest. */
const OPERATOR_SHARE = 1 / 8;
/** The least number of connections per port. If there are fewer files, the kernel refuses connections itself. */
const FEWEST = 16;

/** How many connections each port takes. */
export interface ConnectionBounds {
  readonly publicPort: number;
  readonly operatorPort: number;
}

/** The connections for which the open files suffice, `MAX_CONNECTIONS` at most. */
export function connectionBounds(openFiles: number): ConnectionBounds {
  const share = (part: number) =>
    Math.max(FEWEST, Math.min(MAX_CONNECTIONS, Math.floor(part * (openFiles - OTHER_FILES))));
  return { publicPort: share(1 - OPERATOR_SHARE), operatorPort: share(OPERATOR_SHARE) };
}

/** How many files this process may open (`ulimit -n`, which Node raises as far as it may); Infinity without a limit. */
export function maxOpenFiles(): number {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // With the network part, the report would ask name servers about each connection.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files: { readonly soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
