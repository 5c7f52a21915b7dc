-- Takes the lease if nobody holds it.
--
-- KEYS  1 lease   2 epoch
-- ARGV  1 milliseconds
--
-- Replies the token of the new holder, or nothing if somebody holds the lease. Tokens are never used twice, so the writes of
-- an earlier holder, frozen until its lease ran out, are refused (see views.lua).

if redis.call('EXISTS', KEYS[1]) == 1 then
  return false
end
local token = string.format('%.0f', redis.call('INCR', KEYS[2]))
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return token
