-- The first places in a range of each of several lists.
-- KEYS the lists; ARGV 1 the command, 2 and 3 the range, 4 how many places

local found = {}
for at, list in ipairs(KEYS) do
  found[at] = redis.call(ARGV[1], list, ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
end
return found
