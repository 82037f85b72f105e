import type { Db } from "mongodb";

const MANY = 500;

/**
 * How many updates to send in one message. FerretDB 1 keeps a connection to its own database for each update of a
 * message until all are done, and waits for ever where it has no more of them: there it is one.
 */
export async function updatesPerMessage(db: Db): Promise<number> {
  const server = await db.command({ buildInfo: 1 });
  return "ferretdbVersion" in server ? 1 : MANY;
}
