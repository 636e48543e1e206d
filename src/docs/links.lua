-- Links between documents become links between their pages: X/README.md is X/index.html, Y.md is Y.html, and another file
-- Z of the project is Z.html, but for figures. A folder is its index.html. src/docs/build makes the pages.
local function exists(path)
  local file = io.open(path, "r")
  if file then file:close() end
  return file ~= nil
end

local source = ""

local function directory(path) return path:match("^(.*/)[^/]*$") or "" end

local function page(target)
  if target:match("^%a+:") or target == "" or target:match("^#") then return target end
  local path, anchor = target:match("^([^#]*)(.*)$")
  if path:match("%.svg$") or path:match("%.png$") or path:match("%.html$") then return target end
  if path:match("README%.md$") then return path:gsub("README%.md$", "index.html") .. anchor end
  if path:match("%.md$") then return path:gsub("%.md$", ".html") .. anchor end
  if path:match("/$") then return path .. "index.html" .. anchor end
  if exists(directory(source) .. path .. "/.") then return path .. "/index.html" .. anchor end
  return path .. ".html" .. anchor
end

return {
  { Meta = function(meta) source = pandoc.utils.stringify(meta.source or "") end },
  { Link = function(link) link.target = page(link.target) return link end },
}
