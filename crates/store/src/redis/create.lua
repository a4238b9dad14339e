-- ARGV 6 key or '', 7 answer, 8 fixed, 9 status, 10 snapshot, 11 'k' if there is a secret, 12 secret,
-- 13 'e' if there is an entry, 14 entry, 15 placements, 16 expiry or '', 17 the mark

local key = ARGV[6]
local present = redis.call('HMGET', hash, 'r', 'q', 'd')
if present[1] then
  local mine = version_of_own(present[2])
  if mine then return done(1, mine) end
  local known = recorded(key)
  if known then return { 'duplicate', known } end
  return { 'exists' }
end
if present[3] then return { 'removed' } end

local version = ARGV[13] == 'e' and 1 or 0
redis.call('HSET', hash, 'r', 1, 'v', version, 'f', ARGV[8], 't', ARGV[9], 'n', ARGV[10],
  'x', ARGV[16], 'q', with_own('', version), 'l', ARGV[15], 'a', ARGV[17], 'h', ARGV[17])
if ARGV[11] == 'k' then redis.call('SET', secret, ARGV[12]) end
if version == 1 then redis.call('XADD', log, '1-0', 'b', ARGV[14], 'h', ARGV[17]) end
remember(key, version, ARGV[7])
change_places('', ARGV[15], '', ARGV[16])
expire({ hash, log, answers, secret }, ARGV[16], '')
return done(1, version)
