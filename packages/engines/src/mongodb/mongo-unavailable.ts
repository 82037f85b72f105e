/** The server is out of reach, or does not let this process in. */
export class MongoUnavailable extends Error {
  override readonly name = "MongoUnavailable";
}
