-- Takes the session and its places away; 1 if there was one. Its name stays taken for a while: a create that was sent
-- before may still come.
-- ARGV 6 until when

local present = redis.call('HMGET', hash, 'l', 'x')
if not present[1] then return 0 end
change_places(present[1], '', present[2], '')
redis.call('DEL', hash, log, answers, secret)
redis.call('HSET', hash, 'd', '')
redis.call('PEXPIREAT', hash, ARGV[6])
ring('removed')
return 1
