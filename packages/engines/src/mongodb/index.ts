export { InvalidMongoUrl } from "./address.ts";
export { type MongoConnection, type MongoConnectionOptions, openMongo } from "./connection.ts";
export {
  isDuplicateKey,
  isUnavailableError,
  MongoUnavailable,
  READ_TIMEOUT_MS,
  translateMongoErrors,
} from "./errors.ts";
