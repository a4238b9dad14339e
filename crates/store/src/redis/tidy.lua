-- Takes a place away that its session no longer claims: the session expired, and sorted sets have no
-- expiry for single members.
-- KEYS the session's hash, the index; ARGV the placement as the session would claim it, the member

local claims = redis.call('HGET', KEYS[1], 'l')
if not claims or not string.find(claims, ARGV[1], 1, true) then
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return 0
