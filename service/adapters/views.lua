-- Writes to the read models, if the writer still holds the lease it began with.
--
-- KEYS  1 lease
-- ARGV  1 token of the lease   2 milliseconds to hold it from now, or 0 to leave it   then commands: length, name, arguments
--
-- Replies 1 if everything is written, 0 if the lease is another's or nobody's: then nothing is.
--
-- All keys share the tag of the first. What the commands are is the writer's affair; they are rows, lists, totals and
-- checkpoints together, so that none of them is ever ahead of another.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local at = 3
while at <= #ARGV do
  local length = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + length))
  at = at + length + 1
end
return 1
