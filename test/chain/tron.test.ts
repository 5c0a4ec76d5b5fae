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
import { createTronChain } from '../../sandbox/tron/chain.ts'
import { createTrongrid as createUpstream } from '../../sandbox/tron/trongrid.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createTronChain({ market })
const { address: WALLET } = tronWallets[0]!
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream, key: string | null = null) {
  const asked: { target: string; key: string | undefined }[] = []
  const state = { nowMs: ANCHOR * 1_000 }
  const log: Upstream = (request) => {
    asked.push({ target: request.target, key: request.headers['tron-pro-api-key'] })
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
