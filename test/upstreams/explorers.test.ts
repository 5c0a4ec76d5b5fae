import { describe, expect, test } from 'vitest'
import { createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
import { BLOCKSCOUT_KEY, startBlockscoutInstance, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import { startEsplora } from './esplora.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { createMemoryChain, tokenTransfer } from './nodes/chain.ts'
import { startRoutescan } from './routescan.ts'
import { startSolana } from './solana.ts'

// Numbers in the names are rows of the list of strict doubles. Bodies are compared byte for byte.

/** Each block has a transaction, a transfer of a token and an internal transfer of ALICE. */
function chainOf(chainId: number, blocks: number) {
  const chain = createMemoryChain({ chainId })
  for (let i = 1; i <= blocks; i++)
    chain.mine(
      { from: ALICE, to: BOB, value: 1n, internals: [{ from: BOB, to: ALICE, value: 1n }] },
      tokenTransfer({ token: TOKEN, from: BOB, to: ALICE, raw: BigInt(i) }),
    )
  return chain
}

async function get(url: string, parameters: Record<string, string | number> = {}) {
  const target = new URL(url)
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, String(value))
  const answer = await fetch(target)
  const text = await answer.text()
  const read = () => JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, json: read }
}

const list = { module: 'account', action: 'txlist', address: ALICE, sort: 'asc' }
const notOk = (result: string) => `{"status":"0","message":"NOTOK","result":"${result}"}`

describe('23 to 27, Etherscan', () => {
  async function etherscan(dayCalls?: number) {
    const clock = createClock()
    const chains = [1, 8453].map((chainId) => chainOf(chainId, 12))
    const double = stopLater(await startEtherscan({ clock, chains, ...(dayCalls && { dayCalls }) }))
    const ask = (parameters: Record<string, string | number>) => {
      clock.advance(1_000)
      return get(double.apiUrl, { chainid: 1, apikey: ETHERSCAN_KEY, ...parameters })
    }
    return { ...double, clock, ask }
  }

  test.each([56, 8453, 10, 43114, 100])('23: chain %i is paid, whatever the key', async (chainid) => {
    const { ask } = await etherscan()
    const paid = notOk(
      'Free API access is not supported for this chain. Please upgrade your api plan for full chain coverage. https://etherscan.io/apis',
    )
    const answers = [await ask({ ...list, chainid }), await ask({ ...list, chainid, apikey: 'bad' })]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, paid],
      [200, paid],
    ])
  })

  test('23: source code is there on every chain', async () => {
    const { ask } = await etherscan()
    const asked = { module: 'contract', action: 'getsourcecode', chainid: 8453 }
    expect((await ask(asked)).json().status).toBe('1')
  })

  test('24: without a key; after six bad ones the address is blocked for 30 seconds', async () => {
    const { apiUrl, clock, ask } = await etherscan()
    expect((await get(apiUrl, { chainid: 1, ...list })).text).toBe(notOk('Missing/Invalid API Key'))
    const texts: string[] = []
    for (let i = 0; i < 6; i++) texts.push((await ask({ ...list, apikey: 'bad' })).text)
    const tooMany = notOk('Too many invalid api key attempts, please try again later')
    expect(texts).toEqual([...Array.from({ length: 5 }, () => notOk('Missing/Invalid API Key')), tooMany])
    expect((await ask(list)).text).toBe(tooMany)
    clock.advance(30_000)
    expect((await ask(list)).json().message).toBe('OK')
  })

  test('24: the fourth call in a second, and calls over those of a day', async () => {
    const { apiUrl, clock, ask } = await etherscan(5)
    const now = () => get(apiUrl, { chainid: 1, apikey: ETHERSCAN_KEY, ...list, page: 2, offset: 1_000 })
    const texts = [await now(), await now(), await now(), await now()].map(({ text }) => text)
    expect(texts[3]).toBe(notOk('Max calls per sec rate limit reached (3/sec)'))
    expect(texts[2]).toBe('{"status":"0","message":"No transactions found","result":[]}')
    clock.advance(1_000)
    expect((await ask(list)).json().message).toBe('OK')
    expect((await ask(list)).json().message).toBe('OK')
    expect((await ask(list)).text).toBe(
      notOk('Max rate limit reached, please use API Key for higher rate limit'),
    )
  })

  test('25: pages over 1,000 rows and windows over 10,000', async () => {
    const { ask } = await etherscan()
    const tooLarge =
      '{"status":"0","message":"Result window is too large, PageNo x Offset size must be less than or equal to 10000","result":null}'
    expect((await ask({ ...list, offset: 1_001 })).text).toBe(tooLarge)
    expect((await ask({ ...list, page: 11, offset: 1_000 })).text).toBe(tooLarge)
    expect((await ask({ ...list, page: 10, offset: 1_000 })).json().result).toEqual([])
  })

  test('26: internal transactions by range of blocks are paid; a range too wide takes 30 seconds', async () => {
    const { ask, state, clock } = await etherscan()
    const { address: _, ...byRange } = { ...list, action: 'txlistinternal' }
    expect((await ask({ ...byRange, startblock: 0, endblock: 5 })).text).toContain('API Pro endpoint')
    expect((await ask({ ...list, action: 'txlistinternal' })).json().message).toBe('OK')
    state.widestRange = 10
    const before = clock.now()
    expect((await ask({ ...list, startblock: 0, endblock: 10 })).text).toBe(
      '{"status":"0","message":"Query Timeout occured. Please select a smaller result dataset","result":null}',
    )
    expect(clock.now() - before).toBe(31_000)
    expect((await ask({ ...list, startblock: 1, endblock: 10 })).json().result).toHaveLength(10)
  })

  test('27: an empty list has status 0; a page ends inside of a block', async () => {
    const { ask } = await etherscan()
    expect((await ask({ ...list, startblock: 13 })).text).toBe(
      '{"status":"0","message":"No transactions found","result":[]}',
    )
    const rows = (await ask({ ...list, address: BOB, offset: 3 })).json().result
    expect(rows.map((row: { blockNumber: string }) => row.blockNumber)).toEqual(['1', '1', '2'])
  })
})

describe('28 to 30, Blockscout', () => {
  const path = (stream: string) => `/api/v2/addresses/${ALICE}/${stream}`

  async function pro(dayCredits?: number) {
    const clock = createClock()
    const chains = [56, 8453].map((chainId) => chainOf(chainId, 120))
    const double = stopLater(await startBlockscoutPro({ clock, chains, ...(dayCredits && { dayCredits }) }))
    const ask = (target: string, parameters: Record<string, string | number> = {}) => {
      clock.advance(250)
      return get(double.url + target, { apikey: BLOCKSCOUT_KEY, ...parameters })
    }
    return { ...double, clock, ask }
  }

  test('28: no key, a bad key, the sixth call in a second, calls over the credits of a day', async () => {
    const { url, ask, clock, state } = await pro(120)
    const target = `/8453${path('transactions')}`
    expect((await get(url + target)).status).toBe(402)
    expect((await get(url + target, { apikey: 'bad' })).status).toBe(401)
    const quick = () => get(url + target, { apikey: BLOCKSCOUT_KEY, items_count: 1 })
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await quick())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[5]!.headers.get('x-ratelimit-reset')).toBe('300')
    expect(answers[4]!.headers.get('x-credits-remaining')).toBe('20')
    clock.advance(1_000)
    state.spentStatus = 402
    expect((await ask(target)).status).toBe(200)
    expect((await ask(target)).status).toBe(402)
    clock.advance(86_400_000)
    expect((await ask(target)).status).toBe(200)
  })

  test('28: there is no BNB', async () => {
    const { ask } = await pro()
    expect((await ask(`/56${path('transactions')}`)).status).toBe(404)
  })

  test.each([
    ['internal-transactions', 'limit', 50],
    ['token-transfers', 'limit', 50],
    ['transactions', 'items_count', 0],
    ['transactions', 'cursor', 'x'],
  ])('29: %s refuses %s=%s', async (stream, parameter, value) => {
    const { ask } = await pro()
    const { status, json } = await ask(`/8453${path(stream)}`, { [parameter]: value })
    expect(status).toBe(422)
    const [error] = json().errors
    expect(error).toMatchObject({ title: 'Invalid value', source: { pointer: `/${parameter}` } })
  })

  test('29: the next page is not named with sort, order and items_count; without sort it is in the default order', async () => {
    const { ask, state } = await pro()
    const target = `/8453${path('transactions')}`
    const first = (await ask(target, { sort: 'value', order: 'desc' })).json()
    expect(Object.keys(first.next_page_params).sort()).toEqual(['block_number', 'index'])
    expect(first.items).toHaveLength(50)
    const last = first.items.at(-1).block_number
    const next = (await ask(target, first.next_page_params)).json()
    expect(next.items[0].block_number).toBe(last - 1)
    expect((await ask(target, { items_count: 500 })).json().items).toHaveLength(100)
    state.version = 'v11'
    expect((await ask(target)).json().next_page_params.items_count).toBe(50)
  })

  test('30: an instance takes ten calls in forty minutes, then blocks', async () => {
    const clock = createClock()
    const chain = chainOf(8453, 1)
    const { url } = stopLater(await startBlockscoutInstance({ clock, chain }))
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push((await get(url + path('transactions'))).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await get(url + path('transactions'))
    expect([refused.status, refused.text]).toEqual([
      429,
      'Too many requests. Increase limits now at https://dev.blockscout.com',
    ])
    clock.advance(40 * 60_000)
    expect((await get(url + path('transactions'))).status).toBe(200)
  })
})

describe('31, Routescan', () => {
  test.each([8453, 56])('31: chain %i is not supported', async (chainId) => {
    const { networkUrl } = stopLater(await startRoutescan({ clock: createClock(), chains: [] }))
    const { status, text } = await get(`${networkUrl}/${chainId}/etherscan/api`, list)
    expect([status, text]).toEqual([200, '{"status":"0","message":"chain not supported"}'])
  })

  test('31: pages over 500 rows; the third call in a second', async () => {
    const clock = createClock()
    const { networkUrl } = stopLater(await startRoutescan({ clock, chains: [chainOf(1, 600)] }))
    const ask = (offset: number) => get(`${networkUrl}/1/etherscan/api`, { ...list, offset })
    expect((await ask(500)).json().result).toHaveLength(500)
    expect((await ask(501)).text).toBe(
      '{"status":"0","message":"Timeout reached, please use a narrower block range"}',
    )
    expect((await ask(500)).status).toBe(429)
  })
})

describe('43, Esplora', () => {
  test('43: over one request in five seconds is refused without Retry-After, and then for an hour', async () => {
    const clock = createClock(ANCHOR * 1_000)
    const chain = createBitcoinChain({ market })
    const { url, refused } = stopLater(await startEsplora({ clock, chain }))
    const ask = () => get(`${url}/blocks`)
    for (let i = 0; i < 130; i++) expect((await ask()).status).toBe(200)
    const answer = await ask()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([
      429,
      'text/plain',
      null,
    ])
    await ask()
    await ask()
    clock.advance(600_000)
    expect((await ask()).status).toBe(429)
    clock.advance(3_000_000)
    expect((await ask()).status).toBe(200)
    expect(refused).toHaveLength(4)
  })
})

describe('44, Solana', () => {
  async function solana() {
    const clock = createClock(ANCHOR * 1_000)
    const { url } = stopLater(await startSolana({ clock, chain: createSolanaChain({ market }) }))
    const post = async (body: unknown) => {
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        text: await answer.text(),
      }
    }
    const call = (method: string) => post({ jsonrpc: '2.0', id: 7, method, params: [] })
    return { clock, post, call }
  }

  test('44: the 41st call of a method in ten seconds, and the 101st of all', async () => {
    const { clock, call } = await solana()
    for (let i = 0; i < 40; i++) expect((await call('getSlot')).status).toBe(200)
    const refusals = []
    for (let i = 0; i < 12; i++) refusals.push(await call('getSlot'))
    expect(refusals[0]).toMatchObject({
      status: 429,
      text: '{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests for a specific RPC call"},"id":7}',
    })
    expect(new Set(refusals.map(({ retryAfter }) => retryAfter))).toEqual(new Set([null, '0']))
    clock.advance(10_000)
    const statuses: number[] = []
    for (let i = 0; i < 101; i++) statuses.push((await call(`get${i % 4}`)).status)
    expect(statuses.indexOf(429)).toBe(100)
  })

  test('44: a batch of more than five transactions', async () => {
    const { post } = await solana()
    const batch = (count: number) =>
      post(
        Array.from({ length: count }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'getTransaction',
          params: ['x'],
        })),
      )
    expect((await batch(5)).status).toBe(200)
    expect((await batch(6)).status).toBe(429)
  })
})
