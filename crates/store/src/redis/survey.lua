-- The first place of each of several lists.
-- KEYS the lists

local firsts = {}
for at, list in ipairs(KEYS) do
  firsts[at] = redis.call('ZRANGEBYLEX', list, '-', '+', 'LIMIT', 0, 1)[1] or false
end
return firsts
