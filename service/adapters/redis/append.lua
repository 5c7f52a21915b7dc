-- Appends one commit to the log of one match, or says why not. One text for Valkey, Redis from 6.2 and fakeredis.
--
-- KEYS  1 stream of the match   2 hash beside it: seed, archive, signed, mac   3 change index of the shard (sorted set)
--       4 matches of the shard in quarantine (hash)
-- ARGV  1 version   2 hash of the commit before   3 public part   4 secrets   5 hash   6 seed, or nothing
--       7 match id   8 channel of the shard's notifications
--       9 MAC of the seal before   10, 11 signed part and MAC of the new seal; or nothing, for an append without one
--
-- Replies  {"ok", change time}            written
--          {"conflict", entries}          the log does not end at the commit before; the entries after that version
--          {"unsealed", signed, mac}      the log ends there, but beside it is this seal and not the expected one
--          {"archived"}                   the match was archived and takes no more commits
--          {"quarantined"}                the match was found damaged and takes no commits until it is released
--          {"malformed", sentence}        the arguments are invalid
--
-- An error inside a script undoes nothing, so everything is checked before the first write. The first write is XADD: a
-- server that refuses writes (out of memory, read only, disk full) does so at the first write of a script, before anything
-- has changed. Bytes are stored as they come.

local version, previous, public, secrets, hash, seed = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local match, channel = ARGV[7], ARGV[8]
local mac_before, signed, mac = ARGV[9], ARGV[10], ARGV[11]

local function malformed(why)
  return {'malformed', why}
end

-- Above 15 digits a Lua number is no longer exact.
if not string.match(version, '^[1-9]%d*$') or #version > 15 then
  return malformed('a version is a whole number from 1')
end
if #previous ~= 32 or #hash ~= 32 then
  return malformed('a hash is 32 bytes')
end
if #public == 0 then
  return malformed('the public part is empty')
end
if version == '1' and #seed ~= 32 then
  return malformed('version 1 needs a seed of 32 bytes')
end
if version ~= '1' and #seed ~= 0 then
  return malformed('a seed goes with version 1 only')
end

local beside = redis.call('HMGET', KEYS[2], 'archive', 'signed', 'mac')
if beside[1] then
  return {'archived'}
end
if redis.call('HEXISTS', KEYS[4], match) == 1 then
  return {'quarantined'}
end

local expected = tonumber(version) - 1
local head = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', '1')[1]
local head_version, head_hash = 0, string.rep('\0', 32)
if head then
  head_version, head_hash = tonumber(string.match(head[1], '^%d+')), ''
  if #head[2] == 6 and head[2][5] == 'h' then
    head_hash = head[2][6]
  end
end
if head_version ~= expected or head_hash ~= previous then
  return {'conflict', redis.call('XRANGE', KEYS[1], '(' .. string.format('%.0f', expected) .. '-0', '+')}
end

-- Whoever can write here, but has no key, can make a chain that holds, but no seal. Checked in this script and not by the
-- reader before: else an entry that was put in between would be signed with the next one.
if #signed > 0 and expected > 0 and (beside[3] or '') ~= mac_before then
  return {'unsealed', beside[2] or '', beside[3] or ''}
end

-- The clock may stand still or go back; change times must still rise, or a reader that follows the index would miss this
-- commit. "%.0f", because tostring cuts to 14 digits.
local top = redis.call('ZREVRANGE', KEYS[3], '0', '0', 'WITHSCORES')[2]
local now = redis.call('TIME')
local at = tonumber(now[1]) * 1000000 + tonumber(now[2])
if top and at <= tonumber(top) then
  at = tonumber(top) + 1
end
local change = string.format('%.0f', at)

redis.call('XADD', KEYS[1], version .. '-0', 'p', public, 's', secrets, 'h', hash)
if version == '1' then
  redis.call('HSET', KEYS[2], 'seed', seed)
end
if #signed > 0 then
  redis.call('HSET', KEYS[2], 'signed', signed, 'mac', mac)
end
redis.call('ZADD', KEYS[3], change, match)
-- Only a hint: the truth is the stream, and a failing notification must not make a written commit look refused.
redis.pcall('PUBLISH', channel, match)
return {'ok', change}
