-- Writes a whole session if there is none of its name; else answers what is there.
-- KEYS the session's hash, log, answers, secret, and one that never exists (`Keys::settled`)
-- ARGV 1 tag, 2 id, 3 revision, 4 version, 5 mark, 6 the version's mark, 7 fixed, 8 status, 9 snapshot,
--      10 placements, 11 expiry or '', 12 1 if there is a secret, 13 secret, 14 the channel on which nodes
--      hear what is due, 15 the number of entries, then version, mark and bytes of each, then key and answer of each keyed request

local hash, log, answers, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local present = redis.call('HMGET', hash, 'r', 'v', 'f', 't', 'n', 'x', 'a', 'h')
if present[1] then return present end
redis.call('DEL', hash) -- what says that it was removed

redis.call('HSET', hash, 'r', ARGV[3], 'v', ARGV[4], 'a', ARGV[5], 'h', ARGV[6], 'f', ARGV[7],
  't', ARGV[8], 'n', ARGV[9], 'l', ARGV[10], 'x', ARGV[11], 'q', '')
if ARGV[12] == '1' then redis.call('SET', secret, ARGV[13]) end
local at = 16
for _ = 1, tonumber(ARGV[15]) do
  redis.call('XADD', log, ARGV[at] .. '-0', 'b', ARGV[at + 2], 'h', ARGV[at + 1])
  at = at + 3
end
while at < #ARGV do
  redis.call('HSET', answers, ARGV[at], ARGV[at + 1])
  at = at + 2
end
each_place(ARGV[10], function(index, score)
  redis.call('ZADD', ARGV[1] .. index, 0, score .. ARGV[2])
  if TIMED[index] then
    redis.pcall('PUBLISH', ARGV[14], 'placed ' .. index .. ' ' .. string.sub(ARGV[1], 2, -2) .. ' ' .. score)
  end
end)
local expiring = mortal(ARGV[2], ARGV[11], ARGV[10])
if expiring then redis.call('ZADD', ARGV[1] .. MORTAL, 0, expiring) end
if ARGV[11] ~= '' then
  for _, key in ipairs({ hash, log, answers, secret }) do redis.call('PEXPIREAT', key, ARGV[11]) end
end
return nil
