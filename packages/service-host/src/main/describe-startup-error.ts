/** Errors whose message says in one line what is wrong and what to do. Known by name: this package knows no engine. */
const OPERATOR_FIXABLE_ERRORS: ReadonlySet<string> = new Set([
  "SettingsError",
  "StorageFault",
  "DataFolderInUse",
  "DataFolderNotWritable",
  "DataFolderFull",
  "DamagedStore",
  "StartUpFault",
  "EventStoreUnavailable",
  "InvalidEventStoreUrl",
  "InvalidMongoUrl",
  "InvalidRedisUrl",
  "ReadStoreUnavailable",
  "StateStoreUnavailable",
]);

/** What an operator can mend is said in one line (a line for each wrong setting); anything else keeps its stack. */
export function describeStartupError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (OPERATOR_FIXABLE_ERRORS.has(error.name)) return error.message;
  // LMDB's own words for pages that are not what it wrote.
  const damage = /MDB_[A-Z_]+: [^\n]*/.exec(error.message)?.[0];
  if (damage !== undefined) {
    return `a store in the data folder is damaged (${damage}): restore it from a backup; if it is the folder "read", remove that folder and it is built anew`;
  }
  return error.stack ?? error.message;
}
