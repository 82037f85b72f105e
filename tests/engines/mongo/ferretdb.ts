import { build } from "../go/build.ts";
import { goProgram } from "../go/go-program.ts";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import { freshDatabase } from "./fresh-database.ts";

export const FERRETDB = goProgram("ferretdb");

export interface FerretDb {
  readonly url: string;
  readonly server: ServerProcess;
}

/** A FerretDB of its own. @param storage what it is told about where its data is; its own folder is the argument. */
export async function startFerretDb(storage: (folder: string) => string): Promise<FerretDb> {
  const command = await build(FERRETDB);
  const port = await freePort();
  const folder = newFolder("ferretdb");
  const server = await ServerProcess.start({
    command,
    args: [`-listen=127.0.0.1:${port}`, storage(folder)],
    folder,
    ready: /^listening on /m,
  });
  // It knows no transactions, and refuses writes that ask to be retried.
  return { url: `mongodb://127.0.0.1:${port}/${freshDatabase()}?retryWrites=false`, server };
}
