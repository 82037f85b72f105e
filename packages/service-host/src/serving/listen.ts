import { type Lifecycle, PortInUse, type RunningServer, startServer } from "@travel-booking/http";
import type { Express } from "express";
import { StartupError } from "../main/startup-error.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What the two are set by. */
  readonly variables: { readonly host: string; readonly port: string };
  readonly lifecycle?: Lifecycle;
}

/** @throws StartUpFault names the setting that stands in the way. */
export async function listen(app: Express, options: ListenOptions): Promise<RunningServer> {
  const { host, port, variables } = options;
  try {
    return await startServer(app, options);
  } catch (error) {
    if (error instanceof PortInUse) {
      throw new StartupError(
        `${variables.port} is ${port}: something listens there on ${host} already; stop it, or choose another port`,
        { cause: error },
      );
    }
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const problem =
      code === "EACCES" || code === "EPERM"
        ? `${variables.port} is ${port}: this user may not listen there (${code}); choose a port above 1023`
        : `${variables.host} is ${JSON.stringify(host)}: nobody can listen there (${code}); choose an address of this machine`;
    throw new StartupError(problem, { cause: error });
  }
}

/** The address of a server, for those who call it. */
export function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
