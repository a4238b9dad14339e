-- Takes the session and its places away; 1 if there was one.

local present = redis.call('HMGET', hash, 'l', 'x')
if not present[1] then return 0 end
move(present[1], '')
move_mortal(mortal(id, present[2], present[1]), nil)
redis.call('DEL', hash, log, answers, secret)
ring('removed')
return 1
