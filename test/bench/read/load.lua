-- wrk -s load.lua URL -- MODE KEYS FIRST COUNT PAGE: requests of pages of random wallets, numbered from FIRST on, each
-- with any of the keys.
local mode, first, count, page
local keys = {}

function init(args)
  mode, first, count, page = args[1], tonumber(args[3]), tonumber(args[4]), args[5]
  for key in string.gmatch(args[2], '[^,]+') do keys[#keys + 1] = key end
  math.randomseed(os.time())
end

local graphql = '{"query":"query P($a: String!) { transactions(ofAddress: $a, ofNetwork: \\"ethereum\\", first: 20) '
  .. '{ nodes { at blockNumber txIndex hash explorerUrl type action itemId count totalWorth fromAddress '
  .. 'coinId coinName coinSymbol coinIcon } } }","variables":{"a":"%s"}}'

function request()
  local address = string.format('0x%040x', first + math.random(0, count - 1))
  if mode == 'graphql' then
    local headers = { ['content-type'] = 'application/json' }
    return wrk.format('POST', '/graphql', headers, string.format(graphql, address))
  end
  local path = '/v1/wallet/transactions?address=' .. address .. '&connectionId=ethereum&limit=20&page=' .. page
  return wrk.format('GET', path, { ['x-api-key'] = #keys == 1 and keys[1] or keys[math.random(#keys)] })
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('result {"requests":%d,"us":%d,"failed":%d,"p99Ms":%.2f,"bytes":%d}\n',
    summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout,
    latency:percentile(99) / 1000, summary.bytes))
end
