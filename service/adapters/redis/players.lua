-- Changes of accounts, each atomic. ARGV[1] names the change.
-- KEYS[1] is the account, player:{<id>}; KEYS[2] is {players}:names, key of a name -> the ids of the accounts that have it.
local account, claims = KEYS[1], KEYS[2]
local change, id = ARGV[1], ARGV[2]

-- Only adopted accounts of earlier versions ever share a key.
local function claim(key)
  local held = redis.call('HGET', claims, key)
  if not held then
    redis.call('HSET', claims, key, id)
  elseif not string.find(' ' .. held .. ' ', ' ' .. id .. ' ', 1, true) then
    redis.call('HSET', claims, key, held .. ' ' .. id)
  end
end

local function release(keys)
  for key in string.gmatch(keys or '', '[^\n]+') do
    local left = {}
    for other in string.gmatch(redis.call('HGET', claims, key) or '', '%S+') do
      if other ~= id then left[#left + 1] = other end
    end
    if #left == 0 then
      redis.call('HDEL', claims, key)
    else
      redis.call('HSET', claims, key, table.concat(left, ' '))
    end
  end
end

local function is_taken(keys)
  for key in string.gmatch(keys, '[^\n]+') do
    local held = redis.call('HGET', claims, key)
    if held and held ~= id then return true end
  end
  return false
end

local function claim_all(keys)
  for key in string.gmatch(keys, '[^\n]+') do claim(key) end
  redis.call('HSET', account, 'name_keys', keys)
end

if change == 'create' then
  local name, keys, at = ARGV[3], ARGV[4], ARGV[5]
  if redis.call('EXISTS', account) == 1 then
    -- A command whose connection broke is sent once more.
    if ARGV[6] and redis.call('HGET', account, ARGV[6]) == ARGV[7] then return 'done' end
    return 'issued'
  end
  if is_taken(keys) then return 'name_taken' end
  redis.call('HSET', account, 'name', name, 'at', at)
  claim_all(keys)
  for i = 6, #ARGV, 2 do redis.call('HSET', account, ARGV[i], ARGV[i + 1]) end
  return 'done'
end

if redis.call('HEXISTS', account, 'name') == 0 then return 'no_account' end

if change == 'rename' then
  local name, keys = ARGV[3], ARGV[4]
  if is_taken(keys) then return 'name_taken' end
  release(redis.call('HGET', account, 'name_keys'))
  claim_all(keys)
  redis.call('HSET', account, 'name', name)
  return 'done'
end

if change == 'recovery' then
  redis.call('HSET', account, 'recovery', ARGV[3])
  return 'done'
end

if change == 'forget' then
  release(redis.call('HGET', account, 'name_keys'))
  for _, name in ipairs(redis.call('HKEYS', account)) do
    if name ~= 'at' then redis.call('HDEL', account, name) end
  end
  return 'done'
end

local old = redis.call('HGET', account, 'token_id')

if change == 'adopt' then
  local name, keys = ARGV[3], ARGV[4]
  if redis.call('HGET', account, 'name') == name then
    release(redis.call('HGET', account, 'name_keys'))
    claim_all(keys)
  end
  for i = 5, #ARGV, 3 do
    local token, hash, record = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if token == 'recovery' then
      if redis.call('HEXISTS', account, token) == 1 then redis.call('HSET', account, token, record) end
    elseif old == token and redis.call('HGET', account, 'token_hash') == hash then
      redis.call('HSET', account, 't:' .. token, record)
      redis.call('HDEL', account, 'token_id', 'token_hash')
    elseif redis.call('HEXISTS', account, 't:' .. token) == 1 then
      redis.call('HSET', account, 't:' .. token, record)
    end
  end
  return 'done'
end

-- tokens: the most allowed, the recovery record that must be there or '', whether all are removed, added id and record or
-- '', then the ids to remove.
local most, recovery, all, added, record = tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6], ARGV[7]
if added ~= '' and redis.call('HGET', account, 't:' .. added) == record then return 'done' end
if recovery ~= '' and redis.call('HGET', account, 'recovery') ~= recovery then return 'other_code' end
local count, removed = 0, {}
for _, name in ipairs(redis.call('HKEYS', account)) do
  local is_token = string.sub(name, 1, 2) == 't:'
  if is_token or name == 'token_id' then
    count = count + 1
    if all == '1' then removed[#removed + 1] = is_token and string.sub(name, 3) or old end
  end
end
for i = 8, #ARGV do
  if redis.call('HEXISTS', account, 't:' .. ARGV[i]) == 0 and old ~= ARGV[i] then return 'no_token' end
  removed[#removed + 1] = ARGV[i]
end
local after = count - #removed
if added ~= '' then
  after = after + 1
  if after > most then return 'too_many' end
end
if after < 1 and redis.call('HEXISTS', account, 'recovery') == 0 then return 'last_token' end
for _, token in ipairs(removed) do
  redis.call('HDEL', account, 't:' .. token)
  if old == token then redis.call('HDEL', account, 'token_id', 'token_hash') end
end
if added ~= '' then redis.call('HSET', account, 't:' .. added, record) end
return 'done'
