import { MAX_CONNECTIONS } from "@travel-booking/http";

/** What a service has open besides its connections: stores, uploads, a browser, a reviewer, deliveries, its servers. */
const OTHER_FILES = 256;
/** Of the operator's port; the public one has the rest. */
const OPERATOR_SHARE = 1 / 8;
/** Where there are fewer files than that, the kernel refuses what is too much. */
const FEWEST = 16;

/** How many connections each port takes. */
export interface ConnectionBounds {
  readonly publicPort: number;
  readonly operatorPort: number;
}

/** As many as there is room for among so many open files, `MAX_CONNECTIONS` at most. */
export function connectionBounds(openFiles: number): ConnectionBounds {
  const share = (part: number) =>
    Math.max(FEWEST, Math.min(MAX_CONNECTIONS, Math.floor(part * (openFiles - OTHER_FILES))));
  return { publicPort: share(1 - OPERATOR_SHARE), operatorPort: share(OPERATOR_SHARE) };
}

/** How many files this process may have open (`ulimit -n`; Node raises it as far as it may); Infinity: there is no limit. */
export function maxOpenFiles(): number {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // Else it would ask name servers about each connection.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files: { readonly soft: number | "unlimited" } };
  };
  const soft = userLimits?.open_files.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
