export { InvalidMongoUrl } from "./client-options.ts";
export { isDuplicateKey, isOutOfReach } from "./driver-errors.ts";
export { MongoUnavailable } from "./mongo-unavailable.ts";
export { type MongoConnection, type MongoConnectionOptions, openMongo } from "./open-mongo.ts";
export { reaching } from "./reaching.ts";
export { decodeText, encodeText } from "./stored-text.ts";
export { updatesPerMessage } from "./updates-per-message.ts";
