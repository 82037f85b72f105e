import { Script } from "../../redis/index.ts";

/**
 * Keeps the higher of two positions. KEYS: the credential's. ARGV: the position, milliseconds to keep it.
 * They are compared as decimal text: as numbers of Lua they would lose their last digits.
 */
export const storeMax = new Script(`
local kept = redis.call('GET', KEYS[1])
if kept and (#kept > #ARGV[1] or (#kept == #ARGV[1] and kept >= ARGV[1])) then return end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
`);

/** Writes over what is there only if it is what is expected. KEYS: the key. ARGV: expected, new, milliseconds to keep it. */
export const compareAndSet = new Script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`);
