import { OperatorError, type OperatorRequest, type OperatorRoute } from "@travel-booking/http/operator";
import { type ProjectionStatus, type ProjectorControl, ProjectorRefusal } from "@travel-booking/read-models/control";

/** `projection list`, `rebuild`, `retry`, `skip`. */
export function projectionRoutes(projector: ProjectorControl): readonly OperatorRoute[] {
  const goOn = (verb: "retry" | "skip"): OperatorRoute => ({
    method: "POST",
    path: `/operator/projections/:name/${verb}`,
    handle: async (request) => ({ status: 200, body: await withOperatorErrors(projector[verb](nameOf(request))) }),
  });
  return [
    {
      method: "GET",
      path: "/operator/projections",
      handle: async () => ({ status: 200, body: { data: await projector.list() } }),
    },
    {
      method: "POST",
      path: "/operator/projections/:name/rebuild",
      async handle(request) {
        const name = nameOf(request);
        await mustExist(projector, name);
        return { lines: rebuildProgressLines(projector, name) };
      },
    },
    goOn("retry"),
    goOn("skip"),
  ];
}

const nameOf = (request: OperatorRequest) => request.params.name ?? "";

async function mustExist(projector: ProjectorControl, name: string): Promise<void> {
  const known = (await projector.list()).some((status) => status.name === name);
  if (!known) throw new OperatorError(404, `there is no projection ${name}`);
}

async function withOperatorErrors(answer: Promise<ProjectionStatus>): Promise<ProjectionStatus> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ProjectorRefusal)) throw error;
    throw new OperatorError(error.code === "unknown_projection" ? 404 : 409, error.message);
  }
}

/** Lines of progress as it is made, then the result, or why there is none. */
async function* rebuildProgressLines(projector: ProjectorControl, name: string): AsyncIterable<unknown> {
  const lines: unknown[] = [];
  let wake: () => void = () => undefined;
  const tell = (line: unknown) => {
    lines.push(line);
    wake();
  };
  let over = false;
  void projector
    .rebuild(name, (progress) => tell({ progress }))
    .then((result) => tell({ result }))
    .catch((error: unknown) => tell({ error: { message: error instanceof Error ? error.message : String(error) } }))
    .then(() => {
      over = true;
      wake();
    });
  while (!over || lines.length > 0) {
    const next = lines.shift();
    if (next !== undefined) yield next;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
