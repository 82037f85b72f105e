/** Who may import whom. Kept by `tests/architecture`; paths are the workspaces of the root `package.json`. */

const SERVICES = "(?:command-service|query-service|projector|webhook-dispatcher)";
const WORKSPACE = `(${SERVICES}|domain|tests|packages/[^/]+)`;

/** Tests and contract suites open real engines. */
const TESTS = ["/test/", "/contract/", "^tests/"];

/** What may choose an engine: each service's entry point, what these share, and the package that composes all services. */
const COMPOSITION = [
  `^${SERVICES}/src/main\\.ts$`,
  "^packages/service-host/src/compose-service\\.ts$",
  "^packages/standalone/",
];

/** Engines, the connections they share, the payment gateways, and the libraries they are made of. */
const ENGINES = [
  "^packages/engines/src/(?:lmdb|mongodb|redis)/",
  "^packages/engines/src/[^/]+/(?:lmdb|eventstoredb|mongodb|gridfs|folder|redis|bullmq|memory)[/.]",
  "^packages/payment-gateway/src/(?:gateways\\.ts$|sandbox/|stripe/)",
  "(?:^|/)node_modules/(?:lmdb|mongodb|ioredis|bullmq|stripe|@eventstore/db-client)/",
  "^(?:lmdb|mongodb|ioredis|bullmq|stripe|@eventstore/db-client)$",
];
const ENGINE_PACKAGES = ["^packages/engines/", "^packages/payment-gateway/"];

const COMPARING_NAMES = "^domain/src/travel-document/(?:compare-names|match-name|resembles-name)\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "domain-imports-nothing",
      comment: "The domain is pure: no I/O, no clock, no library.",
      severity: "error",
      from: { path: "^domain/src/" },
      to: { pathNot: "^domain/src/" },
    },
    {
      name: "packages-never-import-services",
      comment: "Services stand on packages; only the package that composes them may know them.",
      severity: "error",
      from: { path: "^packages/", pathNot: "^packages/standalone/" },
      to: { path: `^${SERVICES}/` },
    },
    {
      name: "nothing-imports-standalone",
      comment: "The composition is on top of everything.",
      severity: "error",
      from: { pathNot: ["^packages/standalone/", "^tests/"] },
      to: { path: "^packages/standalone/" },
    },
    {
      name: "services-never-import-each-other",
      comment: "They share ports and packages, and run apart in the distributed profile.",
      severity: "error",
      from: { path: `^(${SERVICES})/` },
      to: { path: `^${SERVICES}/`, pathNot: "^$1/" },
    },
    {
      name: "engines-are-chosen-by-the-composition",
      comment: "Everything else knows the ports.",
      severity: "error",
      from: { path: ".", pathNot: [...COMPOSITION, ...ENGINE_PACKAGES, ...TESTS, "(?:^|/)node_modules/"] },
      to: { path: ENGINES },
    },
    {
      name: "query-service-never-imports-the-event-store",
      comment: "Reads come from read models alone, and not by a detour either.",
      severity: "error",
      from: { path: "^query-service/src/" },
      to: { path: "^packages/engines/src/event-store/", reachable: true },
    },
    {
      name: "names-are-compared-by-the-reader-alone",
      comment: "A name and a document are strangers' texts: no thread compares them that answers others.",
      severity: "error",
      from: { path: ".", pathNot: [COMPARING_NAMES, "^packages/document-reviewer/src/child-main\\.ts$", ...TESTS] },
      to: { path: COMPARING_NAMES },
    },
    {
      name: "workspaces-import-each-other-by-name",
      comment: "A relative path into another workspace goes around what it exports.",
      severity: "error",
      from: { path: `^${WORKSPACE}/` },
      to: { path: `^${WORKSPACE}/`, pathNot: "^$1/", dependencyTypes: ["local"] },
    },
    {
      name: "no-cycles",
      comment: "Modules that need each other are one module.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "everything-resolves",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API to parse with.
    parser: "swc",
    doNotFollow: { path: "(?:^|/)node_modules/" },
    exclude: { path: "^(?:data|packages/client/dist)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js", ".json"],
    },
  },
};
