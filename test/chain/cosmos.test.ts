import type { AddressInfo } from 'node:net'
import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import {
  cosmosTransaction,
  createCosmosDecoder,
  moduleAddress,
} from '../../activities/chain/sources/cosmos-transaction.ts'
import { createCosmos } from '../../activities/chain/sources/cosmos.ts'
import { NETWORKS, networkWithId } from '../../db/values/networks.ts'
import { isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { actorsOf, COSMOS_NETS, ibcDenom } from '../../sandbox/cosmos/actors.ts'
import { createCosmosChain } from '../../sandbox/cosmos/ledger.ts'
import { createCosmosRest } from '../../sandbox/cosmos/rest.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import type { Upstream, UpstreamRequest } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { ANCHOR, market } from './other-chains.ts'

const NET = COSMOS_NETS.find(({ id }) => id === 'osmosis')!
const chain = createCosmosChain({ market, net: NET })
const WALLET = actorsOf(NET).wallets[1]!.address
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream) {
  const asked: UpstreamRequest[] = []
  const log: Upstream = (request) => (asked.push(request), upstream(request))
  const mounts = [{ base: '/node', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => ANCHOR * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/node`
  const name = 'osmosis-rest'
  const http = freeHttp({ [name]: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createCosmos({ http, name, url, ...networkWithId('osmosis').cosmos! }), asked }
}

describe('addresses', () => {
  // The accounts of modules are the same on each chain of the SDK, and explorers show them.
  test.each([
    ['cosmos', 'fee_collector', 'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta'],
    ['cosmos', 'distribution', 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl'],
    ['cosmos', 'bonded_tokens_pool', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
    ['cosmos', 'not_bonded_tokens_pool', 'cosmos1tygms3xhhs3yv487phx3dw4a95jn7t7lpm470r'],
    ['osmosis', 'distribution', 'osmo1jv65s3grqf6v6jl3dp4t6c9t9rk99cd80yhvld'],
  ])('on %s the module %s has %s', (id, name, address) => {
    const network = NETWORKS.find((one) => one.id === id)!
    expect(moduleAddress(network.cosmos!.prefix, name)).toBe(address)
    expect(parseWalletAddress(address)).toEqual({ kind: 'cosmos', address })
    expect(NETWORKS.filter((one) => isAddressOf(one, address))).toEqual([network])
  })

  test.each([
    ['a contract', 'osmo150dpk65f6deunksn94xtvu249hnr2hwqe335ukucltlwh3uz87hq898s7q', true],
    ['upper case', 'COSMOS1JV65S3GRQF6V6JL3DP4T6C9T9RK99CD88LYUFL', true],
    ['mixed case', 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufL', false],
    ['a validator', 'cosmosvaloper1hdrlqvyjfy5sdrseecjrutyws9khtxxaux62l7', false],
    ['the checksum of another prefix', 'osmo1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl', false],
    ['a chain that is not read', 'juno1jv65s3grqf6v6jl3dp4t6c9t9rk99cd83d88wr', false],
  ])('%s', (_what, text, isOne) => {
    expect(parseWalletAddress(text)).toEqual(isOne ? { kind: 'cosmos', address: text.toLowerCase() } : null)
  })

  test('one of 20 bytes is of its network alone, and one with a wrong letter is none', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
    const nets = fc.constantFrom(...COSMOS_NETS)
    fc.assert(
      fc.property(
        nets,
        bytes,
        fc.nat(31),
        fc.constantFrom('q', 'z', '7'),
        ({ id, prefix }, key, at, letter) => {
          const address = bech32.encode(prefix, bech32.toWords(key))
          expect(NETWORKS.filter((one) => isAddressOf(one, address)).map((one) => one.id)).toEqual([id])
          const place = prefix.length + 1 + at
          fc.pre(address[place] !== letter)
          expect(parseWalletAddress(address.slice(0, place) + letter + address.slice(place + 1))).toBeNull()
        },
      ),
    )
  })
})

// The chain-registry of Cosmos publishes them.
test.each([
  ['transfer/channel-141/uosmo', 'ibc/14F9BC3E44B8A9C1BE1FB08980FAB87034C9905EF17CF2F5008FC085218811CC'],
  ['transfer/channel-0/uatom', 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'],
  ['transfer/channel-750/uusdc', 'ibc/498A0751C798A0D9A389AA3691123DADA57DAA4FE165D5C75894505B876BA6E4'],
])('the simulator calls %s as the chain does', (path, denom) => expect(ibcDenom(path)).toBe(denom))

/** Events in a short form: the type and then `key=value` each. */
function decoded({
  prefix,
  denom,
  lines,
  code = 0,
}: {
  prefix: string
  denom: string
  lines: string
  code?: number
}) {
  const events = lines
    .trim()
    .split('\n')
    .map((line) => {
      const [type, ...facts] = line.trim().split(' ')
      return {
        type,
        attributes: facts.map((fact) => fact.split('=')).map(([key, value]) => ({ key, value })),
      }
    })
  const facts = { txhash: 'A'.repeat(64), height: '5', timestamp: '2025-06-22T16:44:37Z', code, events }
  return createCosmosDecoder({ prefix, denom })(cosmosTransaction.parse(facts))
}

/**
 * Bank events of recorded transactions. Those of Initia (SDK 0.50, its own staking and fees in any coin) are of
 * initia-labs/tx-decoder (MIT), by their hashes; the one of the Hub is E34AFB3A…6ABE of 2022 (SDK 0.44).
 */
describe('recorded events', () => {
  const INIT = { prefix: 'init', denom: 'uinit' }

  test('a delegation (3704672C…) is its fee', () => {
    const payer = 'init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm'
    const { transaction, transfers } = decoded({
      ...INIT,
      lines: `
        coin_spent spender=${payer} amount=5163uinit
        coin_received receiver=init17xpfvakm2amg962yls6f84z3kell8c5l70rnql amount=5163uinit
        message sender=${payer}
        tx fee=5163uinit fee_payer=${payer}
        tx acc_seq=${payer}/17
        message action=/initia.mstaking.v1.MsgDelegate sender=${payer} module=mstaking msg_index=0
        coin_spent spender=${payer} amount=100000uinit msg_index=0
        coin_received receiver=init1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3mdfuj4 amount=100000uinit msg_index=0`,
    })
    expect(transaction).toMatchObject({ from: payer, fee: 5_163n, success: true })
    expect(transfers).toEqual([])
  })

  test('an undelegation (42B7DE07…) pays a reward, and its fee is in another coin', () => {
    const payer = 'init15elwv4zlwas7zz8mw7lhlcfc3j64uea0dzkew0'
    const usdc = 'ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4'
    const { transaction, transfers } = decoded({
      ...INIT,
      lines: `
        coin_spent spender=${payer} amount=3864${usdc}
        coin_received receiver=init17xpfvakm2amg962yls6f84z3kell8c5l70rnql amount=3864${usdc}
        tx fee=3864${usdc} fee_payer=${payer}
        message action=/initia.mstaking.v1.MsgUndelegate sender=${payer} msg_index=0
        coin_spent spender=init1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8ffy0za amount=776583uinit msg_index=0
        coin_received receiver=${payer} amount=776583uinit msg_index=0
        coin_spent spender=init1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3mdfuj4 amount=7618096uinit msg_index=0
        coin_received receiver=init1tygms3xhhs3yv487phx3dw4a95jn7t7l0d4dyp amount=7618096uinit msg_index=0`,
    })
    expect(transaction.fee).toBe(0n)
    expect(transfers).toMatchObject([
      { kind: 'fee', token: usdc, from: payer, to: '', raw: 3_864n },
      { kind: 'reward', token: null, from: '', to: payer, raw: 776_583n },
    ])
  })

  test('a failed transaction (B6C52A24…) is its fee', () => {
    const payer = 'init13fqnd2cwsxjn8a7047h7fahmnuc5zv9zw3z9yr'
    const { transaction, transfers } = decoded({
      ...INIT,
      code: 1,
      lines: `
        coin_spent spender=${payer} amount=54798uinit
        coin_received receiver=init17xpfvakm2amg962yls6f84z3kell8c5l70rnql amount=54798uinit
        tx fee=54798uinit fee_payer=${payer}`,
    })
    expect(transaction).toMatchObject({ from: payer, fee: 54_798n, success: false })
    expect(transfers).toEqual([])
  })

  test('events of 2022 have no index of the message: the fee is what comes before the first action', () => {
    const payer = 'cosmos179k2lz70rxvjrvvr65cynw9x5c8v3kftg46v05'
    const { transaction, transfers } = decoded({
      prefix: 'cosmos',
      denom: 'uatom',
      lines: `
        coin_spent spender=${payer} amount=7000uatom
        coin_received receiver=cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta amount=7000uatom
        message sender=${payer}
        tx fee=7000uatom
        tx acc_seq=${payer}/21
        message action=/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward
        coin_spent spender=cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl amount=39447uatom
        coin_received receiver=${payer} amount=39447uatom`,
    })
    expect(transaction).toMatchObject({ from: payer, fee: 7_000n })
    expect(transfers).toMatchObject([{ kind: 'reward', to: payer, raw: 39_447n }])
  })
})

test('several coins, several receivers, and coins that are burnt or minted', () => {
  const { transfers } = decoded({
    prefix: 'cosmos',
    denom: 'uatom',
    lines: `
      message action=/any msg_index=0
      coin_spent spender=a amount=30uatom,7ibc/AA msg_index=0
      coin_received receiver=b amount=10uatom msg_index=0
      coin_received receiver=c amount=15uatom,7ibc/AA msg_index=0
      coin_received receiver=d amount=4factory/x/y msg_index=0
      coin_spent spender=e amount= msg_index=0`,
  })
  expect(transfers.map(({ from, to, raw, token, fanOut }) => [from, to, raw, token, fanOut])).toEqual([
    ['a', 'b', 10n, null, 3],
    ['a', 'c', 15n, null, 3],
    ['a', 'c', 7n, 'ibc/AA', 1],
    ['', 'd', 4n, 'factory/x/y', 1],
    ['a', '', 5n, null, 3],
  ])
})

test('both lists are read to the end, page by page', async () => {
  const { source } = await against((request) => {
    request.query.set('limit', '7')
    return createCosmosRest(() => chain)(request)
  })
  // The source counts with pages of 100, so a node that gives fewer would end early: it must be noticed.
  await expect(fullHistory(source, WALLET)).rejects.toThrow('fewer rows than it counts')
  const whole = await against(createCosmosRest(() => chain))
  const { transactions } = await fullHistory(whole.source, WALLET)
  const own = [
    ...chain.search('coin_spent', 'spender', WALLET),
    ...chain.search('coin_received', 'receiver', WALLET),
  ].filter(({ height }) => height <= chain.newest(ANCHOR))
  expect(new Set(transactions.map(({ hash }) => hash))).toEqual(
    new Set(own.map(({ hash }) => hash.toLowerCase())),
  )
  const pages = whole.asked.filter(({ path }) => path[1] === 'tx').map(({ query }) => query.get('page'))
  expect(pages.filter((page) => page === '1')).toHaveLength(2)
  expect(pages).toContain('2')
})

test('balances are those of the block that is asked for, with all pages', async () => {
  const { source } = await against((request) => {
    if (request.query.has('pagination.limit')) request.query.set('pagination.limit', '1')
    return createCosmosRest(() => chain)(request)
  })
  for (const days of [0, 100, 400]) {
    const headBlock = chain.newest(ANCHOR - days * 86_400)
    const { bank, staked, unbonding } = chain.held(WALLET, headBlock)!
    const tokens = NET.denoms.map(({ denom }) => denom)
    const found = await source.readBalances({ address: WALLET, accounts: [], tokens, headBlock })
    const own = [...staked.values(), ...unbonding].reduce((sum, { raw }) => sum + raw, bank['uosmo'] ?? 0n)
    expect([found.native, ...found.tokens]).toEqual([own, ...tokens.map((denom) => bank[denom] ?? 0n)])
    expect(found.block).toMatchObject({ number: headBlock, atMs: chain.timeOf(headBlock) * 1_000 })
  }
})

test.each([8, 10])('names a denomination of IBC by its name at home, from version %i', async (version) => {
  const { source } = await against(createCosmosRest(() => chain, { version }))
  const [atom, , gift] = NET.denoms
  const unknown = `ibc/${'0'.repeat(64)}`
  expect(await source.readTokens([atom!.denom, gift!.denom, unknown, 'gamm/pool/1'])).toEqual([
    { address: atom!.denom, symbol: 'uatom', name: 'uatom', decimals: null },
    { address: gift!.denom, symbol: gift!.symbol, name: gift!.symbol, decimals: 6 },
    { address: unknown, symbol: null, name: null, decimals: null },
    { address: 'gamm/pool/1', symbol: null, name: null, decimals: null },
  ])
})

test('a node that is behind is asked again, and one without the state is refused', async () => {
  const { source } = await against(createCosmosRest(() => chain))
  const asked = { address: WALLET, accounts: [], tokens: [] }
  const ahead = source.readBalances({ ...asked, headBlock: chain.newest(ANCHOR) + 5 })
  await expect(ahead).rejects.toThrow(SourceUnavailable)
  const pruned = await against((request) =>
    request.path[1] === 'bank'
      ? { status: 400, body: { code: 3, message: 'version does not exist', details: [] } }
      : createCosmosRest(() => chain)(request),
  )
  const old = pruned.source.readBalances({ ...asked, headBlock: chain.newest(ANCHOR) - 500_000 })
  await expect(old).rejects.toThrow(SourceRejected)
})

test('an account without transactions holds nothing', async () => {
  const { source } = await against(createCosmosRest(() => chain))
  const unused = bech32.encode('osmo', bech32.toWords(new Uint8Array(20).fill(9)))
  expect(await source.readHoldings({ address: unused, contracts: [] })).toMatchObject({
    native: 0n,
    tokens: [],
  })
  expect((await fullHistory(source, unused)).transactions).toEqual([])
})
