-- What a user does in Neovim: waits for the report, takes the first quick fix, waits until the report is gone, saves.
-- What was seen goes to $TORCH_TIDY_RESULT as JSON. An error ends the editor with status 1.
local seen = {}

local function torch_reports()
  return vim.tbl_filter(function(report)
    return vim.startswith(tostring(report.code or report.user_data.lsp.code), 'torch-')
  end, vim.diagnostic.get(0))
end

local function await(what, condition)
  -- A bound for a server that is broken; reading LibTorch's headers takes seconds.
  if not vim.wait(300000, condition, 50) then
    error('waited in vain for ' .. what)
  end
end

local function drive()
  await('a report', function() return #torch_reports() > 0 end)
  local report = torch_reports()[1]
  seen.line, seen.column, seen.message = report.lnum, report.col, report.message
  seen.check = report.code or report.user_data.lsp.code

  -- The menu of code actions: the user takes the first.
  vim.ui.select = function(items, options, choose)
    seen.actions = vim.tbl_map(options.format_item or tostring, items)
    choose(items[1], 1)
  end
  vim.api.nvim_win_set_cursor(0, { report.lnum + 1, report.col })
  local before = vim.api.nvim_buf_get_changedtick(0)
  vim.lsp.buf.code_action()
  await('the edit', function() return vim.api.nvim_buf_get_changedtick(0) ~= before end)
  await('the report to go', function() return #torch_reports() == 0 end)
  vim.cmd('write')
end

local fine, message = pcall(drive)
seen.error = not fine and message or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.TORCH_TIDY_RESULT)
vim.cmd(fine and 'qall!' or 'cquit')
