-- The body of `change_places(before, after, expiry_before, expiry)`, together with places.lua: from the places before to those
-- after, each in the form of the field l, and from one expiry to the other. They are functions within a function because
-- few moves change places, and making them takes time.

local overdue, due = string.sub(ARGV[5], 1, 16), string.sub(ARGV[5], 18)

-- Scores are fixed-width hexadecimal and lead the member, so that order by name is order by score,
-- exactly, also among equals.
local function has(placements, index, score)
  return string.find('\n' .. placements, '\n' .. index .. ' ' .. score .. '\n', 1, true)
end

-- Nodes hear of a place that comes before all others of its bucket. Overdue places do not count: some node is serving
-- them, or could not, and may not look again soon. If the session itself had an earlier place until now, all nodes look
-- in time anyway.
local function announce(index, score, before)
  local stood = string.match('\n' .. before, '\n' .. index .. ' (%x+)\n')
  if stood and overdue <= stood and stood <= score then return end
  local first = redis.call('ZRANGEBYLEX', tag .. index, '[' .. overdue, '+', 'LIMIT', 0, 1)
  if score < overdue or first[1] == score .. id then
    -- A user that may not say it must still be able to write; nodes look by themselves now and then.
    redis.pcall('PUBLISH', due, 'placed ' .. index .. ' ' .. string.sub(tag, 2, -2) .. ' ' .. score)
  end
end

local function move(before, after)
  each_place(before, function(index, score)
    if not has(after, index, score) then redis.call('ZREM', tag .. index, score .. id) end
  end)
  each_place(after, function(index, score)
    if not has(before, index, score) then
      redis.call('ZADD', tag .. index, 0, score .. id)
      if TIMED[index] then announce(index, score, before) end
    end
  end)
end

-- The place among what expires follows the expiry and the lists that people see.
local function move_mortal(before, after)
  if before == after then return end
  if before then redis.call('ZREM', tag .. MORTAL, before) end
  if after then redis.call('ZADD', tag .. MORTAL, 0, after) end
end

move(before, after)
move_mortal(mortal(id, expiry_before, before), mortal(id, expiry, after))
