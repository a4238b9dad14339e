-- ARGV 5 key or '', 6 answer, 7 the expected revision, 8 which of the parts are given (letters as the
-- fields', e for the entry), 9 status, 10 snapshot, 11 entry, 12 placements, 13 summary,
-- 14 expiry or '', 15 the expected mark, 16 the mark of this commit

local key, expected, given, expiry = ARGV[5], ARGV[7], ARGV[8], ARGV[14]
local expected_mark, mark = ARGV[15], ARGV[16]
-- As sessions have it that were written before there were marks.
local NO_MARK = '000000000000'

local function is_given(part)
  return string.find(given, part, 1, true)
end

local now = redis.call('HMGET', hash, 'r', 'v', 'x', 'q', 'l', 'a')
if not now[1] then return { 'absent' } end
local mine = version_of_own(now[4])
if mine then return done(tonumber(expected) + 1, mine) end
local known = recorded(key)
if known then return { 'duplicate', known } end
if now[1] ~= expected or (now[6] or NO_MARK) ~= expected_mark then
  return { 'stale', redis.call('HMGET', hash, 'r', 'v', 'f', 't', 'n', 'x', 'a', 'h') }
end

-- Every command that a move runs in here counts: what is set is set by one, and what is as it was is left.
local revision, version = tonumber(expected) + 1, tonumber(now[2])
local fresh = {} -- keys that may not have an expiry yet
if is_given('e') then
  version = version + 1
  redis.call('XADD', log, version .. '-0', 'b', ARGV[11], 'h', mark)
  if version == 1 then fresh[1] = log end
end
if key ~= '' then fresh[#fresh + 1] = answers end
local fields = { 'r', revision, 'v', version, 'q', with_own(now[4], version), 'x', expiry, 'a', mark }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if is_given('e') then set('h', mark) end
if is_given('t') then set('t', ARGV[9]) end
if is_given('n') then set('n', ARGV[10]) end
if is_given('l') then
  displace(now[5])
  place(ARGV[12])
  set('l', ARGV[12])
  set('m', ARGV[13])
end
redis.call('HSET', hash, unpack(fields))
remember(key, version, ARGV[6])
expire(expiry == now[3] and fresh or KEYS, expiry, now[3])
if is_given('e') then ring(version) end
return done(revision, version)
