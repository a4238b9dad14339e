-- Everything of a session at one moment, or nil.
-- KEYS the session's hash, log, answers, secret

local fields = { 'r', 'v', 'f', 't', 'n', 'x', 'a', 'h' }
local record = redis.call('HMGET', KEYS[1], unpack(fields))
if not record[1] then return nil end
return {
  record,
  redis.call('HGET', KEYS[1], 'l'),
  redis.call('XRANGE', KEYS[2], '-', '+'),
  redis.call('HGETALL', KEYS[3]),
  redis.call('GET', KEYS[4]),
}
