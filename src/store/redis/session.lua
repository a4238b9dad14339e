-- What the scripts of one session share. Each runs whole or not at all, and may be sent twice: the
-- operation's own number (`op`) tells a repeat from a rival.
--
-- KEYS  the session's hash, log, answers, secret; all under one hash tag
-- ARGV  1 the tag with its braces, which the names of this bucket's indexes begin with
--       2 the session's id
--       3 the number of this operation
--       4 the command that rings: PUBLISH, or SPUBLISH where channels belong to slots
--
-- Fields of the hash: r revision, v version, a the revision's mark, h the version's, f fixed, t status, n snapshot, x expiry or '',
-- q the last operations as 'op:version;', newest first, l placements as 'index score\n', m summary.

local hash, log, answers, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tag, id, op, bell = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- A client looks this far back; see `Stale` in scripts.rs.
local OPERATIONS_KEPT = 8

local function version_of_own(operations)
  return string.match(operations, op .. ':(%d+);')
end

local function with_own(operations, version)
  local kept = { op .. ':' .. version .. ';' }
  for operation in string.gmatch(operations, '[^;]+;') do
    if #kept < OPERATIONS_KEPT then kept[#kept + 1] = operation end
  end
  return table.concat(kept)
end

local function recorded(key)
  return key ~= '' and redis.call('HGET', answers, key)
end

local function remember(key, version, answer)
  if key ~= '' then redis.call('HSET', answers, key, version .. ':' .. answer) end
end

-- Scores are fixed-width hexadecimal and lead the member, so that order by name is order by score,
-- exactly, also among equals.
local function each_place(placements, change)
  for index, score in string.gmatch(placements, '([^ \n]+) (%x+)\n') do
    change(tag .. index, score .. id)
  end
end

local function displace(placements)
  each_place(placements, function(index, member) redis.call('ZREM', index, member) end)
end

local function place(placements)
  each_place(placements, function(index, member) redis.call('ZADD', index, 0, member) end)
end

-- Last of all writes: an expiry in the past deletes at once.
local function expire(keys, expiry, before)
  for _, key in ipairs(keys) do
    if expiry ~= '' then
      redis.call('PEXPIREAT', key, expiry)
    elseif before ~= '' then
      redis.call('PERSIST', key)
    end
  end
end

-- In one text: what most calls are answered with is read fastest so.
local function done(revision, version)
  return revision .. ' ' .. version
end

local function ring(text)
  redis.call(bell, tag .. 'c:' .. id, text)
end
