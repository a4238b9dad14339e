-- Takes the places of a session that has expired out of the lists that people see; sorted sets have no expiry for single
-- members. Where the session lives on, its place among what expires is set right: it may be that of an earlier moment.
-- KEYS the session's hash, the bucket's list of what expires, and one that never exists (`Keys::settled`)
-- ARGV 1 the tag, 2 the session's id, 3 the member of that list, 4 the places in the form of the field l

local tag, id = ARGV[1], ARGV[2]
local present = redis.call('HMGET', KEYS[1], 'x', 'l')
if present[1] then
  local right = mortal(id, present[1], present[2])
  if right ~= ARGV[3] then
    redis.call('ZREM', KEYS[2], ARGV[3])
    if right then redis.call('ZADD', KEYS[2], 0, right) end
  end
  return 0
end
each_place(ARGV[4], function(index, score) redis.call('ZREM', tag .. index, score .. id) end)
redis.call('ZREM', KEYS[2], ARGV[3])
return 1
