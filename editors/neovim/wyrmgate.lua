-- ~/.config/nvim/lsp/wyrmgate.lua, with vim.lsp.enable("wyrmgate") in init.lua (Neovim 0.11 or newer).
return {
  cmd = { "wyrmgate", "lsp" },
  filetypes = { "yaml" },
  -- Only files that belong to a game: below a folder with a `game.yaml`, or in a folder of games.
  root_dir = function(buffer, on_dir)
    local game = vim.fs.root(buffer, "game.yaml")
    if game then
      local rules = vim.fs.root(game, "rules")
      on_dir(rules or vim.fs.dirname(game))
    end
  end,
}
