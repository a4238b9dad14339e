-- ARGV 6 key or '', 7 answer, 8 the expected revision, 9 which of the parts are given (letters as the
-- fields', e for the entry), 10 status, 11 snapshot, 12 entry, 13 placements, 14 summary,
-- 15 expiry or '', 16 the expected mark, 17 the mark of this commit

local key, expected, given, expiry = ARGV[6], ARGV[8], ARGV[9], ARGV[15]
local expected_mark, mark = ARGV[16], ARGV[17]
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
  redis.call('XADD', log, version .. '-0', 'b', ARGV[12], 'h', mark)
  if version == 1 then fresh[1] = log end
end
if key ~= '' then fresh[#fresh + 1] = answers end
local fields = { 'r', revision, 'v', version, 'q', with_own(now[4], version), 'x', expiry, 'a', mark }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if is_given('e') then set('h', mark) end
if is_given('t') then set('t', ARGV[10]) end
if is_given('n') then set('n', ARGV[11]) end
if is_given('l') then
  move(now[5], ARGV[13])
  set('l', ARGV[13])
  set('m', ARGV[14])
end
if is_given('l') or expiry ~= now[3] then
  local places = is_given('l') and ARGV[13] or now[5]
  move_mortal(mortal(id, now[3], now[5]), mortal(id, expiry, places))
end
redis.call('HSET', hash, unpack(fields))
remember(key, version, ARGV[7])
expire(expiry == now[3] and fresh or { hash, log, answers, secret }, expiry, now[3])
if is_given('e') then ring(version) end
return done(revision, version)
