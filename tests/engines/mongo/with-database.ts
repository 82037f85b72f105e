const URL_PARTS =
  /^(?<server>mongodb(?:\+srv)?:\/\/(?<login>[^/?@]*@)?[^/?]+)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/;

/**
 * The url with this database in place of its own. It may name several hosts, which `URL` does not read. A user stays
 * one of the database that the url named.
 */
export function withDatabase(url: string, database: string): string {
  const parts = URL_PARTS.exec(url)?.groups;
  // Without the url: it may hold a password.
  if (parts === undefined) throw new Error("its address is not a mongodb:// url");
  const query = new URLSearchParams(parts.query);
  if (parts.login !== undefined && !query.has("authSource")) query.set("authSource", parts.database || "admin");
  return `${parts.server}/${database}${query.size > 0 ? `?${query}` : ""}`;
}
