-- Shared code of the scripts that know places. A text of places has a line for each, with the name of the list and the
-- score.

-- Lists whose scores are times at which nodes have something to do.
local TIMED = { t = true, b = true, w = true, d = true, l = true, f = true, e = true }
-- Of the list of sessions that expire while people can see them in other lists.
local MORTAL = 'z'

local function each_place(places, change)
  for index, score in string.gmatch(places, '([^ \n]+) (%x+)\n') do
    change(index, score)
  end
end

-- The member of the list of what expires: when, who, and where people see it. nil if they do not or it never expires.
local function mortal(id, expiry, places)
  if expiry == '' then return nil end
  local shown = {}
  each_place(places, function(index, score)
    if not TIMED[index] then shown[#shown + 1] = index .. ' ' .. score .. '\n' end
  end)
  if #shown == 0 then return nil end
  return string.format('%016x', tonumber(expiry)) .. id .. ' ' .. table.concat(shown)
end
