-- wrk -s query.lua URL -- BODY: posts one GraphQL query again and again.
local text

function init(args)
  text = wrk.format('POST', '/graphql', { ['content-type'] = 'application/json' }, args[1])
end

function request()
  return text
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('result {"requests":%d,"us":%d,"failed":%d,"p50Ms":%.2f,"p99Ms":%.2f}\n',
    summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
