-- ARGV 4 key or '', 5 answer, 6 the expected revision, 7 which of the parts are given (letters as the
-- fields', e for the entry), 8 status, 9 snapshot, 10 entry, 11 placements, 12 summary,
-- 13 expiry or ''

local key, expected, given, expiry = ARGV[4], ARGV[6], ARGV[7], ARGV[13]

local function is_given(part)
  return string.find(given, part, 1, true)
end

local now = redis.call('HMGET', hash, 'r', 'v', 'x', 'q', 'l')
if not now[1] then return { 'absent' } end
local mine = version_of_own(now[4])
if mine then return { 'done', tonumber(expected) + 1, tonumber(mine) } end
local known = recorded(key)
if known then return { 'duplicate', known } end
if now[1] ~= expected then
  return { 'stale', redis.call('HMGET', hash, 'r', 'v', 'f', 't', 'n', 'x') }
end

local revision = redis.call('HINCRBY', hash, 'r', 1)
local version = tonumber(now[2])
if is_given('e') then
  version = redis.call('HINCRBY', hash, 'v', 1)
  redis.call('XADD', log, version .. '-0', 'b', ARGV[10])
end
local fields = { 'q', with_own(now[4], version), 'x', expiry }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if is_given('t') then set('t', ARGV[8]) end
if is_given('n') then set('n', ARGV[9]) end
if is_given('l') then
  displace(now[5])
  place(ARGV[11])
  set('l', ARGV[11])
  set('m', ARGV[12])
end
redis.call('HSET', hash, unpack(fields))
remember(key, version, ARGV[5])
expire(expiry, now[3])
if is_given('e') then ring(version) end
return { 'done', revision, version }
