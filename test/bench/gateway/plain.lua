-- wrk -s plain.lua URL -- PATH STATUS [COOKIE]: asks for one path, and counts the answers of another status.
local path, headers, threads = nil, {}, {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  path, expected, others = args[1], tonumber(args[2]), 0
  if args[3] then headers['cookie'] = args[3] end
end

function request()
  return wrk.format('GET', path, headers)
end

function response(status)
  if status ~= expected then others = others + 1 end
end

function done(summary, latency)
  local e, unexpected = summary.errors, 0
  for _, thread in ipairs(threads) do unexpected = unexpected + thread:get('others') end
  io.write(string.format('result {"requests":%d,"us":%d,"failed":%d,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, summary.duration, unexpected + e.connect + e.read + e.write + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
