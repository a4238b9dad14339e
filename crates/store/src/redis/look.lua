-- The first places of a bucket's list, and word of them to all nodes: what comes first, or that this node is at work on
-- what is due. Asked and told in one step, so that no node hears of an older first place after a newer one.
-- KEYS the list; ARGV 1 how many places, 2 the score up to which they are due, 3 the channel, 4 this node,
--      5 the list's name, 6 the bucket, 7 how long others leave the bucket alone, in milliseconds,
--      8 places that nobody else need come for, each with a line break before and behind it

local places = redis.call('ZRANGEBYLEX', KEYS[1], '-', '+', 'LIMIT', 0, ARGV[1])
local first
for _, place in ipairs(places) do
  if not string.find(ARGV[8], '\n' .. place .. '\n', 1, true) then
    first = string.sub(place, 1, 16)
    break
  end
end
local about = ' ' .. ARGV[4] .. ' ' .. ARGV[5] .. ' ' .. ARGV[6] .. ' '
local news
if first and first <= ARGV[2] then
  news = 'held' .. about .. ARGV[7]
else
  news = 'first' .. about .. (first or '-')
end
redis.pcall('PUBLISH', ARGV[3], news)
return places
