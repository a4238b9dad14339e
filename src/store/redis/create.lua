-- ARGV 5 key or '', 6 answer, 7 fixed, 8 status, 9 snapshot, 10 'k' if there is a secret, 11 secret,
-- 12 'e' if there is an entry, 13 entry, 14 placements, 15 summary, 16 expiry or '',
-- 17 the mark

local key = ARGV[5]
local present = redis.call('HMGET', hash, 'r', 'q')
if present[1] then
  local mine = version_of_own(present[2])
  if mine then return done(1, mine) end
  local known = recorded(key)
  if known then return { 'duplicate', known } end
  return { 'exists' }
end

local version = ARGV[12] == 'e' and 1 or 0
redis.call('HSET', hash, 'r', 1, 'v', version, 'f', ARGV[7], 't', ARGV[8], 'n', ARGV[9],
  'x', ARGV[16], 'q', with_own('', version), 'l', ARGV[14], 'm', ARGV[15], 'a', ARGV[17], 'h', ARGV[17])
if ARGV[10] == 'k' then redis.call('SET', secret, ARGV[11]) end
if version == 1 then redis.call('XADD', log, '1-0', 'b', ARGV[13], 'h', ARGV[17]) end
remember(key, version, ARGV[6])
place(ARGV[14])
expire(KEYS, ARGV[16], '')
return done(1, version)
