import { SettingError, type Settings, SettingsError } from "@travel-booking/runtime";

/**
 * Started in the belief that its data goes to a server, the service must not put it into a folder instead.
 * @throws SettingsError an engine is asked for that this process does not have.
 */
export function mustBeEmbedded({ eventStoreUrl, mongodbUrl, redisUrl }: Settings): void {
  const asked = { EVENT_STORE_URL: eventStoreUrl, MONGODB_URL: mongodbUrl, REDIS_URL: redisUrl };
  const problems = Object.entries(asked)
    .filter(([, url]) => url !== undefined)
    .map(([variable]) => new SettingError(variable, null, "no value: there are only the embedded engines, unset it"));
  if (problems.length > 0) throw new SettingsError(problems);
}
