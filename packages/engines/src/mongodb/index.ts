export { InvalidMongoUrl } from "./client-options.ts";
export { isDuplicateKey, isUnavailableError } from "./driver-errors.ts";
export { MongoUnavailable } from "./mongo-unavailable.ts";
export { type MongoConnection, type MongoConnectionOptions, openMongo } from "./open-mongo.ts";
export { decodeText, encodeText } from "./stored-text.ts";
export { translateMongoErrors } from "./translate-mongo-errors.ts";
export { updatesPerMessage } from "./updates-per-message.ts";
