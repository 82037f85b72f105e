import { Api, type ApiAnswer } from "../../support/api.ts";
import { onceReadable } from "../../support/once-readable.ts";

/** A client that asks again when it is told that what it wrote is not yet readable. */
export class PatientApi extends Api {
  override call<Body = never>(...request: Parameters<Api["call"]>): Promise<ApiAnswer<Body>> {
    return onceReadable(() => super.call<Body>(...request));
  }
}
