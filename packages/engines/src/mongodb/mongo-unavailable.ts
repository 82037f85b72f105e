import { EngineUnavailable } from "../unavailable.ts";

/** The server is out of reach, or does not let this process in. */
export class MongoUnavailable extends EngineUnavailable {
  override readonly name = "MongoUnavailable";
  override readonly engine = "MongoDB";
}
