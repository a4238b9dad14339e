-- The first members of an index in all buckets of one server: a look into each that holds any.
--
-- ARGV  1 how many buckets there are
--       2 the command that reads, 3 the name of the index, 4 and 5 between what
--       6 the most members of a bucket

local found = {}
for bucket = 0, tonumber(ARGV[1]) - 1 do
  local index = '{' .. bucket .. '}' .. ARGV[3]
  local members = redis.call(ARGV[2], index, ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])
  if #members > 0 then found[#found + 1] = members end
end
return found
