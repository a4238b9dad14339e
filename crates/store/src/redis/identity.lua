-- KEYS: where the identity of the store is. ARGV: the identity that a new store gets, or an empty string.
-- Returns the identity, and writes it again, because a server that refuses writes must be noticed.
local identity = redis.call('GET', KEYS[1]) or ARGV[1]
if identity ~= '' then redis.call('SET', KEYS[1], identity) end
return identity
