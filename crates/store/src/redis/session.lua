-- Shared code of the scripts of one session. Each runs whole or not at all, and may be sent twice: the operation's own
-- number (`op`) tells a repeat from a rival. Redis makes every function anew for each call; so there are few.
--
-- KEYS  the session's hash, log, answers, secret, and one that never exists (`Keys::settled`); all under one hash tag
-- ARGV  1 the tag with its braces, which the names of this bucket's indexes begin with
--       2 the session's id
--       3 the number of this operation
--       4 the command that rings: PUBLISH, or SPUBLISH where channels belong to slots
--       5 a score before which what is due is overdue (16 digits), a space, the channel on which nodes hear what is due
--
-- Fields of the hash: r revision, v version, a the revision's mark, h the version's, f fixed, t status, n snapshot, x expiry or '',
-- q the last operations as 'op:version;', newest first, l placements as 'index score\n'. Of a session that was
-- removed there is only d for a while.

local hash, log, answers, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tag, id, op, bell = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- A client looks eight operations back (`OPERATIONS_KEPT` in scripts.rs). So many characters hold them, of versions of up
-- to five digits; what is cut has no semicolon behind it. Patterns over the whole text took a sixth of a commit's time.
local OPERATIONS_LENGTH = 8 * 23

local function version_of_own(operations)
  local _, colon = string.find(operations, op .. ':', 1, true)
  return colon and string.match(operations, '^(%d+);', colon + 1)
end

local function with_own(operations, version)
  return string.sub(op .. ':' .. version .. ';' .. operations, 1, OPERATIONS_LENGTH)
end

local function recorded(key)
  return key ~= '' and redis.call('HGET', answers, key)
end

local function remember(key, version, answer)
  if key ~= '' then redis.call('HSET', answers, key, version .. ':' .. answer) end
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
