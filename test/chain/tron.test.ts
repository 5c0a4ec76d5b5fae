import fc from 'fast-check'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createTrongrid } from '../../activities/chain/sources/trongrid.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import {
  isTronAddress,
  tronAddress,
  tronHex,
  isAddressOf,
  parseWalletAddress,
} from '../../db/values/wallet-address.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { tronWallets, usdt, wrappedTrx } from '../../sandbox/tron/actors.ts'
import { createTronChain, longHex } from '../../sandbox/tron/chain.ts'
import { createTrongrid as createUpstream } from '../../sandbox/tron/trongrid.ts'
import { ok, type Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createTronChain({ market })
const { address: WALLET } = tronWallets[0]!
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream, key: string | null = null) {
  const asked: { target: string; key: string | undefined; bodyText: string }[] = []
  const state = { nowMs: ANCHOR * 1_000 }
  const log: Upstream = (request) => {
    const { target, bodyText } = request
    asked.push({ target, bodyText, key: request.headers['tron-pro-api-key'] })
    return upstream(request)
  }
  const mounts = [{ base: '/tron', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => state.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tron`
  const http = freeHttp({ trongrid: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createTrongrid({ http, url, key, wrapped: wrappedTrx.address }), asked, state }
}

describe('addresses', () => {
  // Documents of Tron: the contract of USDT and an address of java-tron's tests, each in both forms.
  test.each([
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', '0'.repeat(40)],
  ])('%s is 41%s', (address, hex) => {
    expect(tronHex(address)).toBe(hex)
    expect(tronAddress(`41${hex}`)).toBe(address)
    expect(tronAddress(`0x${hex}`)).toBe(address)
    expect(parseWalletAddress(address)).toEqual({ kind: 'tron', address })
  })

  test('each address of 20 bytes is one of Tron alone, and one with a wrong letter is none', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(bytes, fc.nat(32), fc.constantFrom('2', 'A', 'z'), (hash, place, letter) => {
        const address = tronAddress(Buffer.from(hash).toString('hex'))
        expect(NETWORKS.filter((one) => isAddressOf(one, address)).map(({ id }) => id)).toEqual(['tron'])
        fc.pre(address[1 + place] !== letter)
        expect(isTronAddress(address.slice(0, 1 + place) + letter + address.slice(2 + place))).toBe(false)
      }),
    )
  })
})

test('pages of 50 rows are read to the end, with the key if there is one', async () => {
  const { source, asked } = await against(
    createUpstream(() => chain),
    'secret',
  )
  const { transactions, transfers } = await fullHistory(source, WALLET)
  const pages = asked.filter(({ target }) => target.includes('/transactions'))
  expect(pages.filter(({ target }) => target.includes('fingerprint')).length).toBeGreaterThan(2)
  expect(asked.every(({ key }) => key === 'secret')).toBe(true)
  const own = chain.of(WALLET, ANCHOR).filter(({ owner }) => owner === WALLET)
  // A transaction is in both lists if it moves tokens.
  const found = new Set(transactions.flatMap(({ from, hash }) => (from === WALLET ? [hash] : [])))
  expect(found).toEqual(new Set(own.map(({ hash }) => hash)))
  expect(transfers.some(({ token }) => token === usdt.address)).toBe(true)
})

test('returns the balances at the head of the sync despite newer transactions', async () => {
  const { source } = await against(createUpstream(() => chain))
  for (const days of [0, 100, 300]) {
    const then = ANCHOR - days * 86_400
    const { trx, frozen, tokens } = chain.held(WALLET, then)
    const found = await source.readBalances({
      address: WALLET,
      accounts: [],
      tokens: [usdt.address],
      headBlock: chain.finalBlock(then),
    })
    expect([found.native, ...found.tokens]).toEqual([trx + frozen, tokens.get(usdt.address) ?? 0n])
    expect(found.block.number).toBe(chain.finalBlock(then))
  }
})

test('a transaction while balances are read fails as unavailable, so it is retried', async () => {
  const next = chain.of(WALLET, ANCHOR + 60 * 86_400).find(({ at }) => at > ANCHOR + 60)!
  const { source, state } = await against((request) => {
    if (request.path[1] === 'triggerconstantcontract') state.nowMs = (next.at + 120) * 1_000
    return createUpstream(() => chain)(request)
  })
  state.nowMs = next.at * 1_000
  const headBlock = chain.finalBlock(next.at)
  const reading = source.readBalances({ address: WALLET, accounts: [], tokens: [usdt.address], headBlock })
  await expect(reading).rejects.toThrow(SourceUnavailable)
})

test('what a node does not know is retried, and what TronGrid refuses is an error', async () => {
  const { source } = await against((request) =>
    request.path[1]?.startsWith('gettransaction')
      ? { status: 200, body: {} }
      : createUpstream(() => chain)(request),
  )
  await expect(fullHistory(source, WALLET)).rejects.toThrow('the node lags')
  const refusing = await against(() => ({ status: 200, body: { Error: 'class java.lang.Exception' } }))
  await expect(refusing.source.head()).rejects.toThrow('java.lang.Exception')
})

test('a wallet that was never used holds nothing', async () => {
  const { source } = await against(createUpstream(() => chain))
  const unused = tronAddress('ab'.repeat(20))
  expect(await source.readHoldings({ address: unused, contracts: [] })).toMatchObject({
    native: 0n,
    tokens: [],
  })
  expect((await fullHistory(source, unused)).transactions).toEqual([])
})

describe('parts of the history', () => {
  const own = chain.of(WALLET, ANCHOR)
  const requestOf = (rest: { cursor: number; lookBack?: boolean; next?: string | null }) =>
    historyRequest({ address: WALLET, headBlock: chain.finalBlock(ANCHOR), ...rest })
  const timesIn = ({ target }: { target: string }) => {
    const query = new URLSearchParams(target.split('?')[1])
    return ['min_timestamp', 'max_timestamp'].map((name) => Number(query.get(name)))
  }

  test.each([
    ['the cursor', { cursor: own[30]!.block, lookBack: false }, chain.timeOf(own[30]!.block)],
    [
      'ten minutes before it',
      { cursor: own[30]!.block, lookBack: true },
      chain.timeOf(own[30]!.block) - 600_000,
    ],
    ['the beginning where there is none', { cursor: -1, lookBack: true }, 0],
  ])('a part is asked for from %s to the head', async (_from, rest, fromMs) => {
    const { source, asked } = await against(createUpstream(() => chain))
    await source.readHistory(requestOf(rest))
    const [page] = asked.filter(({ target }) => target.includes('/transactions'))
    expect(timesIn(page!)).toEqual([fromMs, chain.timeOf(chain.finalBlock(ANCHOR))])
  })

  test('the head is read through with the last page of the last list, no earlier', async () => {
    const { source } = await against(createUpstream(() => chain))
    const cursor = own[0]!.block
    const through: number[] = []
    for (let next: string | null | undefined = null; next !== undefined;) {
      const part = await source.readHistory(requestOf({ cursor, next }))
      through.push(part.through)
      next = part.next ?? undefined
    }
    expect(through.length).toBeGreaterThan(2)
    expect(through).toEqual([...through.slice(1).map(() => cursor), chain.finalBlock(ANCHOR)])
  })

  /** Rows of an account's own transactions, of which there are only these. */
  const listing = (...data: object[]) =>
    against((request) =>
      request.path[3] === 'transactions'
        ? ok({ data: request.path[4] === 'trc20' ? [] : data, meta: {} })
        : createUpstream(() => chain)(request),
    )
  const payment = (digit: string, rest: { owner: string; contractRet?: string }) => ({
    txID: digit.repeat(64),
    ret: [{ contractRet: rest.contractRet ?? 'SUCCESS', fee: 5 }],
    blockNumber: chain.finalBlock(ANCHOR) - 5,
    block_timestamp: ANCHOR * 1_000 - 200_000,
    raw_data: {
      contract: [
        {
          type: 'TransferContract',
          parameter: {
            value: { owner_address: longHex(rest.owner), to_address: longHex(WALLET), amount: 7 },
          },
        },
      ],
    },
  })
  const other = tronAddress('ab'.repeat(20))

  test('what fails for others is left out, what fails for the wallet stays for its fee', async () => {
    const { source } = await listing(
      payment('a', { owner: other, contractRet: 'OUT_OF_ENERGY' }),
      payment('b', { owner: other }),
      payment('c', { owner: WALLET, contractRet: 'OUT_OF_ENERGY' }),
    )
    const { range } = await source.readHistory(requestOf({ cursor: -1 }))
    expect(range.transactions.map(({ hash, fee }) => [hash[0], fee])).toEqual([
      ['b', 5n],
      ['c', 5n],
    ])
    expect(range.transfers.map(({ txHash, raw }) => [txHash[0], raw])).toEqual([['b', 7n]])
  })

  test('a transaction is read once from its row, before or after that of a payment inside it', async () => {
    const inside = (digit: string) => ({ internal_tx_id: digit.repeat(60), tx_id: digit.repeat(64) })
    const [a, b] = ['a', 'b'].map((digit) => payment(digit, { owner: other }))
    const { source, asked } = await listing(inside('a'), a!, b!, inside('b'))
    const { range } = await source.readHistory(requestOf({ cursor: -1 }))
    expect(range.transactions.map(({ hash }) => hash[0])).toEqual(['a', 'b'])
    expect(asked.filter(({ target }) => target.includes('gettransaction'))).toEqual([])
  })
})

test('balances at the block of a transaction include it', async () => {
  const { source } = await against(createUpstream(() => chain))
  for (const { block } of chain.of(WALLET, ANCHOR).slice(-4)) {
    const asked = { address: WALLET, accounts: [], tokens: [usdt.address], headBlock: block }
    const found = await source.readBalances(asked)
    // Blocks are final after 19 others.
    const { trx, frozen, tokens } = chain.held(WALLET, chain.timeOf(block) / 1_000 + 19 * 3)
    expect([found.native, ...found.tokens]).toEqual([trx + frozen, tokens.get(usdt.address) ?? 0n])
  }
})

test('a token that does not tell its balance has none, also when it moved since', async () => {
  const { source } = await against((request) =>
    request.path[1] === 'triggerconstantcontract' ? ok({}) : createUpstream(() => chain)(request),
  )
  const headBlock = chain.finalBlock(ANCHOR - 300 * 86_400)
  const { tokens } = await source.readBalances({
    address: WALLET,
    accounts: [],
    tokens: [usdt.address],
    headBlock,
  })
  expect(tokens).toEqual([null])
})

test('deposits of the contract of wrapped TRX wrap it', async () => {
  const { source } = await against(createUpstream(() => chain))
  const { transfers } = await fullHistory(source, WALLET)
  const wraps = transfers.filter(({ kind }) => kind === 'wrap')
  expect(wraps.length).toBeGreaterThan(0)
  expect(new Set(wraps.map(({ token }) => token))).toEqual(new Set([wrappedTrx.address]))
})

test('blocks are asked for without their transactions, and contracts by the addresses that people see', async () => {
  const { source, asked } = await against(createUpstream(() => chain))
  await source.readTokens([usdt.address])
  await source.head()
  const bodies = asked.map(({ target, bodyText }) => [target.split('/').at(-1), JSON.parse(bodyText)])
  const calls = bodies.filter(([method]) => method === 'triggerconstantcontract')
  expect(calls).toHaveLength(3)
  for (const [, body] of calls) expect(body).toMatchObject({ contract_address: usdt.address, visible: true })
  expect(bodies.filter(([method]) => method === 'getblock')).toEqual([['getblock', { detail: false }]])
})
