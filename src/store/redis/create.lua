-- ARGV 4 key or '', 5 answer, 6 fixed, 7 status, 8 snapshot, 9 'k' if there is a secret, 10 secret,
-- 11 'e' if there is an entry, 12 entry, 13 placements, 14 summary, 15 expiry or ''

local key = ARGV[4]
local present = redis.call('HMGET', hash, 'r', 'q')
if present[1] then
  local mine = version_of_own(present[2])
  if mine then return { 'done', 1, tonumber(mine) } end
  local known = recorded(key)
  if known then return { 'duplicate', known } end
  return { 'exists' }
end

local version = ARGV[11] == 'e' and 1 or 0
redis.call('HSET', hash, 'r', 1, 'v', version, 'f', ARGV[6], 't', ARGV[7], 'n', ARGV[8],
  'x', ARGV[15], 'q', with_own('', version), 'l', ARGV[13], 'm', ARGV[14])
if ARGV[9] == 'k' then redis.call('SET', secret, ARGV[10]) end
if version == 1 then redis.call('XADD', log, '1-0', 'b', ARGV[12]) end
remember(key, version, ARGV[5])
place(ARGV[13])
expire(ARGV[15], '')
return { 'done', 1, version }
