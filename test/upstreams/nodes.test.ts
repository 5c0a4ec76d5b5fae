import { describe, expect, test } from 'vitest'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
import { createClock } from './double.ts'
import { alchemy } from './nodes/alchemy.ts'
import { ankr } from './nodes/ankr.ts'
import { anyNode, noLogsAtHead, nullHead } from './nodes/any-node.ts'
import { base } from './nodes/base.ts'
import { bsc } from './nodes/bsc.ts'
import { createMemoryChain, tokenTransfer } from './nodes/chain.ts'
import type { MemoryChain } from './nodes/chain.ts'
import { drpc } from './nodes/drpc.ts'
import { infura } from './nodes/infura.ts'
import { startNode } from './nodes/node-double.ts'
import { publicnode } from './nodes/publicnode.ts'
import { quicknode } from './nodes/quicknode.ts'
import type { Vendor } from './nodes/vendor.ts'

// Numbers in the names are rows of the list of strict doubles. Bodies are compared byte for byte.

function chainOf(blocks: number): MemoryChain {
  const chain = createMemoryChain({ funds: { [ALICE]: 10n ** 24n } })
  for (let i = 1; i <= blocks; i++)
    chain.mine(
      { from: ALICE, to: BOB, value: BigInt(i) },
      tokenTransfer({ token: TOKEN, from: ALICE, to: BOB, raw: BigInt(i) }),
    )
  return chain
}

async function nodeOf(vendor: Vendor, chain = chainOf(3)) {
  const clock = createClock()
  const node = await startNode({ vendor, chain, clock })
  stopLater(node)
  const post = async (body: unknown, url = node.nodeUrl) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    const text = await answer.text()
    return { status: answer.status, text, json: JSON.parse(text) }
  }
  const call = (method: string, ...params: unknown[]) => post({ jsonrpc: '2.0', id: 1, method, params })
  const logs = (from: number, to: number) =>
    call('eth_getLogs', { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` })
  return { ...node, clock, post, call, logs }
}

const many = (count: number, method = 'eth_blockNumber') =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params: ['0x1'] }))

describe('15, Alchemy', () => {
  test('15: ten blocks of logs pass, eleven do not', async () => {
    const { logs } = await nodeOf(alchemy, chainOf(120))
    expect((await logs(100, 109)).json.result).toHaveLength(10)
    expect(await logs(100, 110)).toMatchObject({
      status: 400,
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]. Upgrade to PAYG for expanded block range."}}',
    })
  })

  test('15: no traces; errors inside of a batch come with status 200', async () => {
    const { call, post } = await nodeOf(alchemy)
    expect(await call('trace_block', '0x1')).toMatchObject({
      status: 400,
      json: { error: { code: -32601, message: expect.stringMatching(/^Unsupported method: trace_block/) } },
    })
    const batch = await post([...many(1, 'debug_traceBlockByNumber'), ...many(1)])
    expect(batch.status).toBe(200)
    expect(batch.json).toHaveLength(2)
  })

  test('15: receipts of ten blocks spend the throughput of ten seconds', async () => {
    const { call, clock } = await nodeOf(alchemy)
    for (let i = 0; i < 10; i++) expect((await call('eth_getBlockReceipts', '0x1')).status).toBe(200)
    expect(await call('eth_getBlockReceipts', '0x1')).toMatchObject({
      status: 429,
      json: { error: { code: 429 } },
    })
    clock.advance(10_000)
    expect((await call('eth_getBlockReceipts', '0x1')).status).toBe(200)
  })

  test('15: the month ends at 30 M units and begins with the calendar', async () => {
    const node = await nodeOf({ ...alchemy, cost: () => 10_000_000 })
    for (let i = 0; i < 3; i++) await node.post(many(1, 'eth_getBalance'))
    expect(await node.call('eth_blockNumber')).toMatchObject({
      status: 403,
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Monthly capacity limit exceeded."}}',
    })
    expect(node.spent('month')).toBe(30_000_000)
    node.clock.advance(31 * 86_400_000)
    expect((await node.call('eth_blockNumber')).status).toBe(200)
  })

  test('15: the 26th request of a second is refused; units are those of the methods', async () => {
    const node = await nodeOf(alchemy)
    for (let i = 0; i < 25; i++) await node.call('eth_call', { to: TOKEN, data: '0x313ce567' }, 'latest')
    expect((await node.call('eth_blockNumber')).status).toBe(429)
    expect(node.spent('day')).toBe(25 * 26)
  })

  test('15: a key is needed', async () => {
    const { post, url } = await nodeOf(alchemy)
    expect((await post(many(1)[0], `${url}/v2/other`)).status).toBe(401)
  })
})

test('16, QuickNode: six blocks of logs are refused', async () => {
  const { logs } = await nodeOf(quicknode, chainOf(10))
  expect((await logs(1, 5)).json.result).toHaveLength(5)
  expect(await logs(1, 6)).toMatchObject({
    status: 413,
    json: {
      error: {
        code: -32615,
        message: expect.stringMatching(
          /^eth_getLogs is limited to a 5 range, upgrade from discover plan at https:/,
        ),
      },
    },
  })
})

describe('17, dRPC', () => {
  test('17: more than 10,000 blocks, in both wordings', async () => {
    const message = (wording: string) => `ranges over 10000 blocks are not supported on ${wording}`
    for (const wording of ['freetier', 'free plan'] as const) {
      const { logs } = await nodeOf(drpc(wording))
      expect(await logs(1, 10_001)).toMatchObject({
        status: 400,
        json: { error: { code: 35, message: message(wording) } },
      })
    }
  })

  test('17: a batch of four, and an answer that takes over 2 s', async () => {
    const { post, logs } = await nodeOf(drpc('freetier'))
    expect((await post(many(3))).status).toBe(200)
    const refused = await post(many(4))
    expect(refused.status).toBe(500)
    expect(refused.json[0].error).toMatchObject({
      code: 31,
      message: expect.stringMatching(/^Batch of more than 3 requests are not allowed on free tier, /),
    })
    expect(await logs(1, 1_001)).toMatchObject({
      status: 408,
      json: {
        error: {
          code: 30,
          message: 'Request timeout on the free tier, please upgrade your tier to the paid one',
        },
      },
    })
  })

  test('17: 120,000 units in a minute', async () => {
    const { call, clock } = await nodeOf({ ...drpc(), cost: () => 60_000 })
    expect([(await call('eth_blockNumber')).status, (await call('eth_blockNumber')).status]).toEqual([
      200, 200,
    ])
    expect((await call('eth_blockNumber')).json.error.code).toBe(15)
    clock.advance(60_000)
    expect((await call('eth_blockNumber')).status).toBe(200)
  })
})

describe('18, PublicNode', () => {
  test('18: blocks, logs and state older than 128 blocks need a token; receipts by hash do not', async () => {
    const chain = chainOf(140)
    const { call, logs } = await nodeOf(publicnode, chain)
    const head = 138
    const old = `0x${(head - 129).toString(16)}`
    const refusal =
      '{"error":{"code":-32602,"message":"Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode"}}'
    for (const answer of [
      await call('eth_getBlockByNumber', old, false),
      await call('eth_getBalance', ALICE, old),
      await logs(head - 129, head - 129),
      await call('eth_getBlockReceipts', chain.block(head - 129)!.hash),
    ])
      expect(answer).toMatchObject({ status: 403, text: refusal })
    expect((await call('eth_getBlockByNumber', `0x${(head - 128).toString(16)}`, false)).status).toBe(200)
    const receipt = await call('eth_getTransactionReceipt', chain.block(2)!.transactions[0]!.hash)
    expect(receipt.json.result.blockNumber).toBe('0x2')
  })

  test('18: its head is two blocks behind, and logs beyond it are refused', async () => {
    const { call, logs } = await nodeOf(publicnode, chainOf(10))
    expect((await call('eth_blockNumber')).json.result).toBe('0x8')
    expect((await logs(5, 9)).json.error).toEqual({
      code: -32602,
      message: 'block range extends beyond current head block',
    })
  })

  test('18: more than 50,000 blocks', async () => {
    const { logs } = await nodeOf(publicnode)
    expect((await logs(1, 50_001)).json.error.message).toBe('exceed maximum block range: 50000')
  })
})

describe('19, Infura', () => {
  test('19: more than 10,000 blocks', async () => {
    const { logs } = await nodeOf(infura)
    expect((await logs(1, 1_000_000)).json.error).toEqual({
      code: -32602,
      message: 'range 1000000 exceeds limit of 10000',
    })
  })

  test('19: a spent day ends at midnight, UTC; credits are those of the methods', async () => {
    const node = await nodeOf({ ...infura, throughput: () => 0 })
    for (let i = 0; i < 3; i++) await node.post(many(1_000, 'eth_getBlockReceipts'))
    expect(node.spent('day')).toBe(3_000_000)
    expect(await node.call('eth_chainId')).toMatchObject({
      status: 402,
      text: '{"error":{"code":402,"event":-33000,"message":"Payment Required"}}',
    })
    node.clock.advance(15 * 3_600_000)
    expect((await node.call('eth_chainId')).status).toBe(200)
  })
})

test('20, Base: 101 blocks, or in the second mode 1,001; no receipts of blocks', async () => {
  const narrow = await nodeOf(base())
  expect((await narrow.logs(1, 100)).status).toBe(200)
  expect((await narrow.logs(1, 101)).json.error).toEqual({ code: -32602, message: 'Invalid params' })
  expect((await narrow.call('eth_getBlockReceipts', '0x1')).status).toBe(403)
  const wide = await nodeOf(base('1000 blocks'))
  expect((await wide.logs(1, 1_001)).json.error.message).toBe('please limit the query to at most 1000 blocks')
})

test('21, Ankr: everything without a key', async () => {
  const { post, url, logs } = await nodeOf(ankr)
  expect(await post(many(1)[0], url)).toMatchObject({
    status: 403,
    json: {
      error: {
        code: -32000,
        message:
          'Unauthorized: You must authenticate your request with an API key. Create an account on https://www.ankr.com/rpc/ and generate your personal API key for free.',
      },
    },
  })
  expect((await logs(1, 3_001)).json.error.message).toBe('block range is too wide')
})

test('21, BNB: no eth_getLogs at all', async () => {
  const { logs } = await nodeOf(bsc)
  expect((await logs(1, 1)).json.error).toEqual({ code: -32005, message: 'limit exceeded' })
})

describe('22, any node', () => {
  test('22: replies of a batch come in any order, with errors inside of status 200', async () => {
    const { post } = await nodeOf(anyNode({ without: /^eth_getBlockReceipts$/ }))
    const { status, json } = await post([...many(9), { ...many(1, 'eth_getBlockReceipts')[0], id: 9 }])
    expect(status).toBe(200)
    const ids = (json as { id: number }[]).map(({ id }) => id)
    expect(ids).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(json.find(({ id }: { id: number }) => id === 9).error.code).toBe(-32601)
  })

  test('22: a null block and no logs at the head', async () => {
    const node = await nodeOf(anyNode())
    const { chain } = node.state
    node.state.distort = nullHead(chain.head)
    expect((await node.call('eth_getBlockByNumber', '0x3', false)).json.result).toBeNull()
    expect((await node.call('eth_getBlockByNumber', '0x2', false)).json.result.number).toBe('0x2')
    node.state.distort = noLogsAtHead(chain.head)
    expect((await node.logs(2, 3)).json.result).toHaveLength(1)
  })
})

describe('the chain of the doubles', () => {
  test('has the blooms, gas and parents that a client can check', async () => {
    const { call } = await nodeOf(anyNode(), chainOf(2))
    const block = (await call('eth_getBlockByNumber', '0x2', true)).json.result
    const receipts = (await call('eth_getBlockReceipts', block.hash)).json.result
    expect(receipts.at(-1).cumulativeGasUsed).toBe(block.gasUsed)
    expect(block.logsBloom).toBe(receipts[1].logsBloom)
    // The three bits of an address and each topic.
    const bits = BigInt(block.logsBloom).toString(2).replaceAll('0', '').length
    expect(bits).toBeGreaterThan(9)
    expect(bits).toBeLessThanOrEqual(12)
    expect(block.parentHash).toBe((await call('eth_getBlockByNumber', '0x1', false)).json.result.hash)
    expect((await call('eth_getBalance', BOB, 'latest')).json.result).toBe('0x3')
  })

  test('forks, and both branches keep what they share', () => {
    const chain = chainOf(5)
    const branch = chain.fork(3, 'other')
    branch.mine({ from: ALICE, to: BOB, value: 4n })
    expect(branch.block(3)!.hash).toBe(chain.block(3)!.hash)
    expect(branch.block(4)!.hash).not.toBe(chain.block(4)!.hash)
    expect(branch.block(4)!.parentHash).toBe(chain.block(3)!.hash)
    expect([chain.head(), branch.head()]).toEqual([5, 4])
    expect(chainOf(5).block(5)!.hash).toBe(chain.block(5)!.hash)
  })
})
