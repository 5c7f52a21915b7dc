-- Replaces the seal beside the log of one match, if the log still ends with the entry that the seal is for.
--
-- KEYS  1 stream of the match   2 hash beside it
-- ARGV  1 hash of the newest entry   2, 3 signed part and MAC of the seal
--
-- Replies 1 if it was written, 0 if the log has grown, or has no entry of this form at its end.

local head = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', '1')[1]
if not head or #head[2] ~= 6 or head[2][5] ~= 'h' or head[2][6] ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], 'signed', ARGV[2], 'mac', ARGV[3])
return 1
