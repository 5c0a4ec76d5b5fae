import { expect, test } from 'vitest'
import { readRefusal } from '../../activities/nodes/rpc-refusal.ts'

const logs = { method: 'eth_getLogs', status: 400, code: -32000, fromBlock: 100 }

// Every text of the list of facts about nodes, and what it means.
test.each([
  [
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]. Upgrade to PAYG for expanded block range.',
    10,
  ],
  ['eth_getLogs is limited to a 5 range, upgrade from discover plan at https://x.y to increase the limit', 5],
  ['eth_getLogs is limited to a 10,000 range', 10_000],
  ['eth_getLogs is limited to 1024 block range', 1_024],
  ['eth_getLogs is limited to a 1000 blocks range', 1_000],
  ['eth_getLogs is limited to 0 - 50 blocks range', 50],
  ['ranges over 10000 blocks are not supported on freetier', 9_999],
  ['ranges over 10000 blocks are not supported on free plan', 9_999],
  ['range 1000000 exceeds limit of 10000', 9_999],
  ['exceed maximum block range: 50000', 49_999],
  ['Max range: 800', 799],
  ['requested too many blocks from 1 to 9000, maximum is set to 2048', 2_047],
  ['Log response size exceeded. Maximum allowed number of requested blocks is 1000', 999],
  ['please limit the query to at most 1000 blocks', 999],
  ['block range greater than 2000 max', 1_999],
  ['query exceeds max block range 100000', 99_999],
  ['Block range limit exceeded.', null],
  ['block range is too wide', null],
  ['Block range is too large', null],
  ['Invalid params', null],
  ['limit exceeded', null],
])('a plan allows fewer blocks: %s', (message, blocks) => {
  expect(readRefusal({ ...logs, message })).toEqual({ kind: 'range', blocks })
})

test.each([
  ['query exceeds max results 20000, retry with the range 100-119', 20],
  ['logs matched by query exceeds limit of 10000', null],
  ['query returned more than 10000 results. Try with this block range [0x64, 0x77].', 20],
  ['Log response size exceeded.', null],
  ['backend response too large', null],
  ['response size should not greater than 10000000 bytes', null],
  ['no backend is currently healthy to serve traffic', null],
])('an answer is too big: %s', (message, blocks) => {
  expect(readRefusal({ ...logs, message })).toEqual({ kind: 'result', blocks })
})

test.each([
  ['block range extends beyond current head block', logs, 'lag'],
  [
    'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode',
    logs,
    'archive',
  ],
  ['missing trie node 0xabc', { method: 'eth_call', status: 200, code: -32000 }, 'archive'],
  [
    'chain is not available on free plan, please upgrade to paid plan',
    { method: 'eth_call', status: 400, code: 35 },
    'archive',
  ],
  ['Request timeout on the free tier, please upgrade your tier to the paid one', logs, 'slow'],
  [
    'Request timeout on the free plan, please upgrade',
    { method: 'eth_getBlockReceipts', status: 408, code: 30 },
    'slow',
  ],
  [
    'Unsupported method: trace_block. See available methods',
    { method: 'trace_block', status: 400, code: -32601 },
    'method',
  ],
  [
    'the method trace_block is not available on free plan, please upgrade to paid plan',
    { method: 'trace_block', status: 400, code: 35 },
    'method',
  ],
  ['rpc method is not whitelisted', { method: 'eth_getBlockReceipts', status: 403, code: -32001 }, 'method'],
  ['Monthly capacity limit exceeded.', { method: 'eth_call', status: 403, code: -32600 }, 'quota'],
  ['Payment Required', { method: 'eth_call', status: 402, code: 402 }, 'quota'],
  ['daily request rate limit exceeded', logs, 'quota'],
  [
    'Your app has exceeded its compute units per second capacity.',
    { method: 'eth_call', status: 200, code: 429 },
    'rate',
  ],
  ['25/second request limit reached', { method: 'eth_call', status: 429, code: 429 }, 'rate'],
  ['over rate limit', { method: 'eth_call', status: 200, code: -32016 }, 'rate'],
  [
    'You reached Public endpoint rate limit, please upgrade to paid plan',
    { method: 'eth_call', status: 429, code: 15 },
    'rate',
  ],
  ['limit exceeded', { method: 'eth_call', status: 200, code: -32005 }, 'rate'],
  [
    'Unauthorized: You must authenticate your request with an API key. Create an account',
    { method: 'eth_call', status: 403, code: -32000 },
    'key',
  ],
  ['API key is not allowed to access blockchain', { method: 'eth_call', status: 403, code: -32052 }, 'key'],
  ['Must be authenticated!', { method: 'eth_call', status: 401, code: -32600 }, 'key'],
] as const)('%s', (message, call, kind) => {
  expect(readRefusal({ ...call, message })?.kind).toBe(kind)
})

test.each([
  [
    'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account at drpc.org',
    3,
  ],
  ['batch not supported', null],
])('a batch is refused: %s', (message, calls) => {
  expect(readRefusal({ method: 'batch', status: 500, code: 31, message })).toEqual({ kind: 'batch', calls })
})

test.each(['execution reverted', 'execution reverted: rate limit', 'nonce too low'])(
  'the call itself is at fault: %s',
  (message) => {
    expect(readRefusal({ method: 'eth_call', status: 200, code: 3, message })).toBeNull()
  },
)
