-- Shared code of the scripts of one session. Each runs whole or not at all, and may be sent twice: the operation's own
-- number (`op`) tells a repeat from a rival.
--
-- KEYS  the session's hash, log, answers, secret, and one that never exists (`Keys::settled`); all under one hash tag
-- ARGV  1 the tag with its braces, which the names of this bucket's indexes begin with
--       2 the session's id
--       3 the number of this operation
--       4 the command that rings: PUBLISH, or SPUBLISH where channels belong to slots
--       5 a score before which what is due is overdue (16 digits), a space, the channel on which nodes hear what is due
--
-- Fields of the hash: r revision, v version, a the revision's mark, h the version's, f fixed, t status, n snapshot, x expiry or '',
-- q the last operations as 'op:version;', newest first, l placements as 'index score\n', m summary. Of a session that was
-- removed there is only d for a while.

local hash, log, answers, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tag, id, op, bell = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local overdue, due = string.sub(ARGV[5], 1, 16), string.sub(ARGV[5], 18)

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
local function has(placements, index, score)
  return string.find('\n' .. placements, '\n' .. index .. ' ' .. score .. '\n', 1, true)
end

-- Nodes hear of a place that comes before all others of its bucket. Overdue places do not count: some node is serving
-- them, or could not, and may not look again soon. If the session itself had an earlier place until now, all nodes look
-- in time anyway.
local function announce(index, score, before)
  local stood = string.match('\n' .. before, '\n' .. index .. ' (%x+)\n')
  if stood and overdue <= stood and stood <= score then return end
  local first = redis.call('ZRANGEBYLEX', tag .. index, '[' .. overdue, '+', 'LIMIT', 0, 1)
  if score < overdue or first[1] == score .. id then
    -- A user that may not say it must still be able to write; nodes look by themselves now and then.
    redis.pcall('PUBLISH', due, 'placed ' .. index .. ' ' .. string.sub(tag, 2, -2) .. ' ' .. score)
  end
end

-- From the places before to those after, each in the form of the field l.
local function move(before, after)
  each_place(before, function(index, score)
    if not has(after, index, score) then redis.call('ZREM', tag .. index, score .. id) end
  end)
  each_place(after, function(index, score)
    if not has(before, index, score) then
      redis.call('ZADD', tag .. index, 0, score .. id)
      if TIMED[index] then announce(index, score, before) end
    end
  end)
end

-- The place among what expires follows the expiry and the lists that people see.
local function move_mortal(before, after)
  if before == after then return end
  if before then redis.call('ZREM', tag .. MORTAL, before) end
  if after then redis.call('ZADD', tag .. MORTAL, 0, after) end
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
