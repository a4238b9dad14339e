-- Takes the session and its places away; 1 if there was one.

local placements = redis.call('HGET', hash, 'l')
if not placements then return 0 end
move(placements, '')
redis.call('DEL', hash, log, answers, secret)
ring('removed')
return 1
