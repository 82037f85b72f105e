import { Script } from "../../redis/index.ts";

/**
 * Counts one in the window of a key, and answers [its beginning, the count].
 *
 * KEYS: the key. ARGV: now, the window's length; milliseconds.
 * - A `now` before the beginning counts, too: it is of an instance whose clock is behind.
 * - The key outlives its window by another length: for an instance whose clock is behind, it is still running when it is
 *   over for the server.
 */
export const countInWindow = new Script(`
local now, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local startedAt = tonumber(redis.call('HGET', KEYS[1], 'startedAt'))
if startedAt and now < startedAt + length then
  return {startedAt, redis.call('HINCRBY', KEYS[1], 'count', 1)}
end
redis.call('HSET', KEYS[1], 'startedAt', ARGV[1], 'count', 1)
redis.call('PEXPIRE', KEYS[1], 2 * length)
return {now, 1}
`);
