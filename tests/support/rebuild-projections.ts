import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { withoutElections } from "./distributed/elections.ts";
import type { OperatorClientResponse } from "./operator-caller.ts";

interface HasOperatorInterface {
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
}

/** Builds every read model anew from the log alone. @throws Error one of them was not built. */
export async function rebuildProjections(service: HasOperatorInterface): Promise<void> {
  for (const name of PROJECTION_NAMES) {
    const { status, body } = await withoutElections(() => service.operator("POST", `/projections/${name}/rebuild`));
    const last = (Array.isArray(body) ? (body as unknown[]).at(-1) : body) as { readonly result?: unknown };
    if (status !== 200 || last.result === undefined) throw new Error(`${name}: ${JSON.stringify(body)}`);
  }
}
