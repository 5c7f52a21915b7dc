-- Writes to the read models, if the writer still holds its lease.
--
-- KEYS  1 lease
-- ARGV  1 token of the lease   2 milliseconds to extend it to, or 0 to leave it   then commands: length, name, arguments
--
-- Replies 1 if everything was written; 0 if the writer does not hold the lease; or the name of a key whose type does not fit
-- its command. In the last two cases nothing was written. Types and numbers are checked before the first write, because an
-- error in the middle would not undo the writes before it.
--
-- All keys share the hash tag of the first. A batch holds rows, lists, totals and checkpoints together, so that none of them
-- is ever ahead of another.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local kinds = {HSET = 'hash', HDEL = 'hash', HINCRBY = 'hash', ZADD = 'zset', ZREM = 'zset', SADD = 'set'}
local known = {}
local at = 3
while at <= #ARGV do
  local name, key = ARGV[at + 1], ARGV[at + 2]
  local wanted = kinds[name]
  if wanted and not known[key] then
    local found = redis.call('TYPE', key)
    if type(found) == 'table' then
      found = found.ok
    end
    if found ~= 'none' and found ~= wanted then
      return key
    end
    known[key] = true
  end
  if name == 'HINCRBY' then
    local amount = redis.call('HGET', key, ARGV[at + 3])
    if amount and not string.match(amount, '^%-?%d+$') then
      return key
    end
  end
  at = at + tonumber(ARGV[at]) + 1
end
if ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
at = 3
while at <= #ARGV do
  local length = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + length))
  at = at + length + 1
end
return 1
