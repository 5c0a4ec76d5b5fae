import { describe, expect, test } from 'vitest'
import type { AddressCounters } from '../../activities/chain/sources/address-counters.ts'
import type { UtxoTransaction } from '../../activities/chain/sources/utxo-transaction.ts'
import { createUtxoSource } from '../../activities/chain/sources/utxo.ts'
import type { WalletAccount } from '../../activities/chain/wallet-source.ts'
import { networkWithId } from '../../db/values/networks.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { historyRequest } from './history-request.ts'

/** What is read again of an address that was read before. */

const WALLET = bitcoinWallets[1]!.name
const OTHER = bitcoinWallets[2]!.name
const HEAD = 1_000
const REORG_DEPTH = 10
const blockOf = (number: number) => ({
  number,
  hash: `hash ${number}`,
  parentHash: null,
  atMs: number * 600_000,
})

/** Pays the wallet so much, or is paid by it. */
function paid(blockNumber: number, value: bigint): UtxoTransaction {
  const one = { address: WALLET, value: value > 0n ? value : -value }
  const [inputs, outputs] = value > 0n ? [[{ ...one, address: OTHER }], [one]] : [[one], []]
  const { hash: blockHash, atMs } = blockOf(blockNumber)
  return { txid: `${blockNumber} ${value}`, blockNumber, blockHash, atMs, fee: 0n, inputs, outputs }
}
const countersOf = (rows: readonly UtxoTransaction[]): AddressCounters => {
  const sum = (all: readonly ({ address: string | null; value: bigint } | null)[]) =>
    all.reduce((total, one) => (one?.address === WALLET ? total + one.value : total), 0n)
  return {
    transactions: rows.length,
    received: sum(rows.flatMap((one) => one.outputs)),
    sent: sum(rows.flatMap((one) => one.inputs)),
  }
}
const textOf = (rows: readonly UtxoTransaction[]) => {
  const { transactions, received, sent } = countersOf(rows)
  return `${transactions} ${received} ${sent}`
}

/** A service with these transactions, newest first, two a page. `told`: what it counts, if that is another thing. */
function reading(rows: readonly UtxoTransaction[], told: AddressCounters = countersOf(rows)) {
  const asked: string[] = []
  const reorg = { now: false }
  const source = createUtxoSource({
    formats: networkWithId('bitcoin').utxo!,
    reorgDepth: REORG_DEPTH,
    api: {
      name: 'memory',
      tip: async () => blockOf(HEAD),
      headers: async (numbers) => numbers.map(blockOf),
      blockAt: async (number) => ({ ...blockOf(number), ...(reorg.now && { hash: 'another' }) }),
      async counters(address) {
        asked.push('counters')
        return address === WALLET ? told : countersOf([])
      },
      async page({ after, headBlock }) {
        const from = Number(after ?? 0)
        asked.push(`page ${from}`)
        const known = rows.filter(({ blockNumber }) => blockNumber <= (headBlock ?? Infinity))
        return { rows: known.slice(from, from + 2), next: known.length > from + 2 ? String(from + 2) : null }
      },
      beginAt: async () => async (blocks) => [...blocks],
    },
  })
  const read = (accounts: readonly WalletAccount[], cursor: number) =>
    source.readHistory(historyRequest({ address: WALLET, accounts, cursor, headBlock: HEAD, settled: 0 }))
  return { source, asked, read, reorg }
}
const knownAs = (seen: string | null, seenBlock: number | null): WalletAccount => ({
  account: WALLET,
  role: 'wallet',
  readBlock: seenBlock ?? -1,
  newest: null,
  seen,
  seenBlock,
})

const OLD = [paid(800, -2n), paid(700, 5n), paid(600, 4n), paid(500, 3n), paid(400, 2n)]

test('an address whose counters are as they were has no pages read, and is known as of the head', async () => {
  const { asked, read } = reading(OLD)
  const part = await read([knownAs(textOf(OLD), 900)], 900)
  expect(asked).toEqual(['counters'])
  expect(part.range.transactions).toEqual([])
  expect(part.accounts).toEqual([{ ...knownAs(textOf(OLD), HEAD), readBlock: HEAD }])
  expect(part).toMatchObject({ through: HEAD, next: null })
})

describe('an address with a new transaction', () => {
  const all = [paid(950, 7n), ...OLD]

  test('has pages read until one is deeper than a reorg below what is known', async () => {
    const { asked, read } = reading(all)
    const part = await read([knownAs(textOf(OLD), 900)], 900)
    expect(asked).toEqual(['counters', 'page 0'])
    expect(part.range.transactions.map(({ blockNumber }) => blockNumber)).toEqual([950, 800])
    expect(part.accounts).toEqual([{ ...knownAs(textOf(all), HEAD), readBlock: HEAD }])
  })

  test.each([
    [790, ['page 0', 'page 2']],
    [809, ['page 0', 'page 2']],
    [810, ['page 0']],
  ])('that was known as of block %i has %j read', async (block, pages) => {
    const { asked, read } = reading(all)
    const before = OLD.filter(({ blockNumber }) => blockNumber <= block)
    const part = await read([knownAs(textOf(before), block)], block)
    expect(asked).toEqual(['counters', ...pages])
    expect(part.accounts).toMatchObject([{ seen: textOf(all), seenBlock: HEAD }])
  })

  test.each<[what: string, told: AddressCounters]>([
    ['one more', { ...countersOf(all), transactions: 7 }],
    ['one less', { ...countersOf(all), transactions: 5 }],
    ['more received', { ...countersOf(all), received: 22n }],
    ['more sent', { ...countersOf(all), sent: 3n }],
  ])('is known as it was where the service counts %s than it lists', async (_what, told) => {
    const { read } = reading(all, told)
    const part = await read([knownAs(textOf(OLD), 900)], 900)
    expect(part.accounts).toMatchObject([{ seen: textOf(OLD), seenBlock: 900, readBlock: HEAD }])
    const unknown = await reading(all, told).read([], -1)
    expect(unknown.accounts).toMatchObject([{ seen: null, seenBlock: null, readBlock: HEAD }])
  })

  test('is known after its first read by all of its pages', async () => {
    const { asked, read } = reading(all)
    const part = await read([], -1)
    expect(asked).toEqual(['counters', 'page 0', 'page 2', 'page 4'])
    expect(part.accounts).toEqual([{ ...knownAs(textOf(all), HEAD), readBlock: HEAD }])
    expect(part.fromBlock).toBe(400)
  })

  test('of which no counters are known is read down to the cursor, and then not known by them', async () => {
    const { asked, read } = reading(all)
    const part = await read([knownAs(null, null)], 900)
    expect(asked).toEqual(['counters', 'page 0'])
    expect(part.accounts).toMatchObject([{ seen: null, seenBlock: null, readBlock: HEAD }])
  })
})

test('an address whose transactions left the chain after they were counted is no account', async () => {
  const { asked, read } = reading([], countersOf(OLD))
  const part = await read([], -1)
  expect(asked).toEqual(['counters', 'page 0'])
  expect(part).toMatchObject({ accounts: [], through: HEAD, next: null })
})

test('an address holds what its counters say, an extended key is not asked about', async () => {
  const { source } = reading(OLD)
  expect(source.readsOldBalances).toBe(true)
  expect(await source.readHoldings({ address: WALLET, contracts: [] })).toEqual({
    block: blockOf(HEAD),
    native: 12n,
    tokens: [],
  })
  expect(await source.readHoldings({ address: bitcoinWallets[0]!.name, contracts: [] })).toBeNull()
})

test('an address that was never used has no pages and is no account', async () => {
  const { asked, read } = reading([])
  const part = await read([], -1)
  expect(asked).toEqual(['counters'])
  expect(part).toMatchObject({ accounts: [], through: HEAD, next: null })
})

describe('the balance', () => {
  const balanceOf = async (account: WalletAccount | null, headBlock: number) => {
    const { source, asked } = reading([paid(950, 7n), ...OLD])
    const request = { address: WALLET, accounts: account ? [account] : [], tokens: ['none'], headBlock }
    const { native, tokens } = await source.readBalances(request)
    expect(tokens).toEqual([null])
    return { native, asked }
  }
  const all = [paid(950, 7n), ...OLD]

  test('of an address that is known as of the block is what is known', async () => {
    expect(await balanceOf(knownAs('2 50 8', HEAD), HEAD)).toEqual({ native: 42n, asked: [] })
  })

  test('of an address whose counters are as they were before is theirs, without its pages', async () => {
    expect(await balanceOf(knownAs(textOf(all), 960), HEAD)).toEqual({ native: 19n, asked: ['counters'] })
  })

  test.each([
    ['not known', null],
    ['known otherwise', knownAs(textOf(OLD), 900)],
    ['known as of a later block', knownAs(textOf(all), 990)],
  ])('of an address that is %s is what it has without newer transactions', async (_what, account) => {
    expect(await balanceOf(account, 940)).toEqual({
      native: 12n,
      asked: ['counters', 'page 0', 'counters'],
    })
    expect((await balanceOf(account, 950)).native).toBe(19n)
    expect(await balanceOf(account, 650)).toEqual({
      native: 9n,
      asked: ['counters', 'page 0', 'page 2', 'counters'],
    })
  })

  test('that had to be asked for waits after a reorg, one that was known does not', async () => {
    const after = async (account: WalletAccount) => {
      const { source, reorg } = reading(all)
      const request = { address: WALLET, accounts: [account], tokens: [], headBlock: HEAD }
      const found = source.readBalances(request)
      reorg.now = true
      return (await found).native
    }
    expect(await after(knownAs(textOf(all), HEAD))).toBe(19n)
    await expect(after(knownAs(textOf(all), 960))).rejects.toThrow('a reorg happened')
  })
})
