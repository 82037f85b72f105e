import { errorResponse } from "../errors/error-response.ts";
import { drain } from "../request/read-body.ts";
import { readUpload } from "../upload/read-upload.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { RoutePlan } from "./route-plan.ts";
import { hasMalformedId, type Validation, validateHead } from "./validate.ts";

/** Checks a request whose body is a file, and takes the file in. What is taken in is the handler's body. */
export async function receiveUpload(exchange: HttpExchange, plan: RoutePlan): Promise<Validation> {
  const { upload } = plan.route;
  if (upload === undefined) throw new Error(`${plan.route.operation.id} takes no file`);
  const problems = validateHead(exchange, plan);
  if (problems.length > 0 || hasMalformedId(exchange.params)) {
    drain(exchange.request);
    return problems.length > 0 ? errorResponse(400, problems) : plan.notFound;
  }
  const read = await readUpload(exchange.request, upload.maxBytes, (file) => upload.take(exchange, file));
  if (read === "gone") return read;
  if ("refused" in read) return read.refused;
  if ("problems" in read) return errorResponse(400, read.problems);
  exchange.body = read.taken.body;
  return { sentBody: read.taken.fingerprint, file: read.taken };
}
