export { InvalidMongoUrl } from "./address.ts";
export { type MongoConnection, openMongo } from "./connection.ts";
export { isDuplicateKey, MongoUnavailable, READ_TIMEOUT_MS, translateMongoErrors } from "./errors.ts";
