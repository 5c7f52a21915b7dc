-- Takes the lease if nobody has it.
--
-- KEYS  1 lease   2 epoch
-- ARGV  1 milliseconds
--
-- Replies the token of the new holder, which no earlier one ever had; nothing if somebody holds it.

if redis.call('EXISTS', KEYS[1]) == 1 then
  return false
end
local token = string.format('%.0f', redis.call('INCR', KEYS[2]))
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return token
