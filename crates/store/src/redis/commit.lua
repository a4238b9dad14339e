-- ARGV 6 key or '', 7 answer, 8 the expected revision, 9 which of the parts 10 to 13 are given (a digit for each, 1 if so),
-- 10 status, 11 snapshot, 12 entry, 13 placements, 14 expiry or '', 15 the expected mark, 16 the mark of this commit

local key, expected, expiry = ARGV[6], ARGV[8], ARGV[14]
local expected_mark, mark = ARGV[15], ARGV[16]
-- As sessions have it that were written before there were marks.
local NO_MARK = '000000000000'
local YES = string.byte('1')
local has_status, has_snapshot, has_entry, has_placements = string.byte(ARGV[9], 1, 4)

local now = redis.call('HMGET', hash, 'r', 'v', 'x', 'q', 'a')
if not now[1] then return { 'absent' } end
local mine = version_of_own(now[4])
if mine then return done(tonumber(expected) + 1, mine) end
local known = recorded(key)
if known then return { 'duplicate', known } end
if now[1] ~= expected or (now[5] or NO_MARK) ~= expected_mark then
  return { 'stale', redis.call('HMGET', hash, 'r', 'v', 'f', 't', 'n', 'x', 'a', 'h') }
end

-- Everything that a move runs in here counts: what is set is set by one command, and what is as it was is left. Numbers are
-- formatted once, and the table of fields has room from the start.
local revision, version = tostring(expected + 1), now[2]
local fresh -- keys that may not have an expiry yet
if has_entry == YES then
  version = tostring(version + 1)
  -- An empty entry only announces a version: a log would take 5 kB for it.
  if ARGV[12] ~= '' then redis.call('XADD', log, version .. '-0', 'b', ARGV[12], 'h', mark) end
  if version == '1' then fresh = { log } end
end
local fields = { 'r', revision, 'v', version, 'q', with_own(now[4], version), 'a', mark,
  nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local count = 8
local function set(field, value)
  fields[count + 1], fields[count + 2] = field, value
  count = count + 2
end
if has_entry == YES then set('h', mark) end
if has_status == YES then set('t', ARGV[10]) end
if has_snapshot == YES then set('n', ARGV[11]) end
if expiry ~= now[3] then set('x', expiry) end
if has_placements == YES or expiry ~= now[3] then
  local before = redis.call('HGET', hash, 'l')
  local after = before
  if has_placements == YES then
    after = ARGV[13]
    set('l', after)
  end
  change_places(before, after, now[3], expiry)
end
redis.call('HSET', hash, unpack(fields, 1, count))
if key ~= '' then
  remember(key, version, ARGV[7])
  fresh = fresh or {}
  fresh[#fresh + 1] = answers
end
if expiry ~= now[3] then fresh = { hash, log, answers, secret } end
if fresh then expire(fresh, expiry, now[3]) end
if has_entry == YES then ring(version) end
return done(revision, version)
