-- wrk -s paths.lua URL -- KEY PATH..: asks for the paths in turn.
local key, paths, at = nil, {}, 0

function init(args)
  key = args[1]
  for i = 2, #args do paths[#paths + 1] = args[i] end
end

function request()
  at = at % #paths + 1
  return wrk.format('GET', '/v1' .. paths[at], { ['x-api-key'] = key })
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('result {"requests":%d,"us":%d,"failed":%d,"p50Ms":%.2f,"p99Ms":%.2f}\n',
    summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
