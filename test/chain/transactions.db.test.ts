import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import {
  activateNetworks,
  address,
  hash,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const transactions = endpoint(api, { route: getTransactions, key })
const at = (text: string) => new Date(text)
const [first, second, unknown, empty] = [address(1), address(2), address(3), address(4)]

const hashesOf = async (query: string) => {
  const { body } = await transactions(`/wallet/transactions?${query}`)
  return body.result.map((row: { hash: { id: string } }) => Number(row.hash.id))
}

beforeAll(async () => {
  const db = api.owner
  await activateNetworks(db, ['ethereum', 'base-wallet'])
  await insertCoin(db, { id: 'ethereum', priceUsd: '2000', at: at('2026-03-10T12:00:00Z') })
  await insertCoin(db, { id: 'bitcoin', priceUsd: '80000', at: at('2026-03-10T12:00:00Z') })
  await insertPrices(db, {
    coinId: 'bitcoin',
    resolution: 'day',
    points: [
      [at('2026-01-01T00:00:00Z'), '100000'],
      [at('2026-01-03T00:00:00Z'), '50000'],
    ],
  })
  await insertRates(db, {
    currency: 'EUR',
    rates: [
      [at('2026-01-01T00:00:00Z'), '0.5'],
      [at('2026-01-03T00:00:00Z'), '0.8'],
      [at('2026-03-01T00:00:00Z'), '0.9'],
    ],
  })
  const walletId = await insertWallet(db, {
    address: first,
    syncs: { ethereum: at('2026-03-10T10:00:00Z'), 'base-wallet': at('2026-03-10T11:00:00Z') },
  })
  const eth = (count: string, valueUsd: string | null) => ({
    main: { coinId: 'ethereum', symbol: 'ETH', count, valueUsd },
  })
  await insertTransactions(db, {
    walletId,
    transactions: [
      {
        networkId: 'ethereum',
        at: at('2026-01-01T10:00:00Z'),
        hash: hash(1),
        ...eth('0.5', '800'),
        feeUsd: 2,
      },
      {
        networkId: 'base-wallet',
        at: at('2026-01-02T10:00:00Z'),
        hash: hash(2),
        type: 'withdraw',
        ...eth('-0.5', '900'),
      },
      {
        networkId: 'ethereum',
        at: at('2026-01-02T10:00:00Z'),
        hash: hash(3),
        txIndex: 7,
        type: 'executed',
        ...eth('1', null),
        coinIds: ['usd-coin', 'ethereum'],
      },
      { networkId: 'ethereum', at: at('2026-01-02T10:00:00Z'), hash: hash(4), txIndex: 3, type: 'approve' },
      {
        networkId: 'ethereum',
        at: at('2026-01-03T00:00:00Z'),
        hash: hash(5),
        identified: false,
        main: {
          coinId: `${address(9)}_ethereum`,
          symbol: 'ODD"',
          count: '1000000',
          valueUsd: null,
        },
      },
    ],
  })
  const other = await insertWallet(db, {
    address: second,
    syncs: { ethereum: at('2026-03-10T09:00:00Z'), 'base-wallet': null },
  })
  await insertTransactions(db, {
    walletId: other,
    transactions: [
      { networkId: 'ethereum', at: at('2026-01-02T12:00:00Z'), hash: hash(6), ...eth('2', '3000') },
      { networkId: 'base-wallet', at: at('2026-01-05T12:00:00Z'), hash: hash(7), ...eth('2', '3000') },
    ],
  })
  await insertWallet(db, { address: empty, syncs: { ethereum: at('2026-03-10T09:00:00Z') } })
})

test('the table refuses symbols with control characters, because they separate rows in pages', async () => {
  const walletId = await insertWallet(api.owner, { address: address(77), syncs: {} })
  const main = { coinId: 'ethereum', symbol: 'E\u001fTH', count: '1', valueUsd: '1' }
  const odd = { networkId: 'ethereum', at: at('2026-01-05T12:00:00Z'), hash: hash(78), main }
  await expect(insertTransactions(api.owner, { walletId, transactions: [odd] })).rejects.toThrow(
    'main_symbol_check',
  )
})

describe('GET /wallet/transactions', () => {
  test('returns the newest first, with value and profit at current prices, for 30 credits', async () => {
    const { body, headers, credits } = await transactions(
      `/wallet/transactions?address=${first}&connectionId=ethereum`,
    )
    expect(credits).toBe(30)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T10:00:00.000Z')
    expect(body.meta).toEqual({ page: 1, limit: 20 })
    expect(body.result.map((row: { hash: { id: string } }) => row.hash.id)).toEqual([5, 3, 4, 1].map(hash))
    expect(body.result[3]).toEqual({
      type: 'Received',
      date: '2026-01-01T10:00:00.000Z',
      mainContent: { coinIcons: [], coinAssets: [] },
      transactions: [
        {
          action: 'Received',
          items: [
            {
              id: `${hash(1)}-0`,
              count: 0.5,
              totalWorth: 800,
              coin: { id: 'ethereum', name: 'ethereum', symbol: 'ETH', icon: '' },
              fromAddress: address(99),
            },
          ],
        },
      ],
      fee: {
        coin: { id: 'ethereum', name: 'Ethereum', symbol: 'ETH', icon: '' },
        count: 0.001,
        totalWorth: 2,
      },
      hash: { id: hash(1), explorerUrl: `https://etherscan.io/tx/${hash(1)}` },
      coinData: { count: 0.5, symbol: 'ETH', currentValue: 1000 },
      profitLoss: { profit: 200, profitPercent: 25, currentValue: 1000 },
    })
    expect(body.result[2]).not.toHaveProperty('coinData')
    expect(body.result[1].coinData).toEqual({ count: 1, symbol: 'ETH', currentValue: 2000 })
    expect(body.result[1]).not.toHaveProperty('profitLoss')
    expect(body.result[0].coinData).toEqual({ count: 1_000_000, symbol: 'ODD"', currentValue: 0 })
  })

  test('a gain since a withdrawal counts as a loss', async () => {
    const { body } = await transactions(`/wallet/transactions?address=${first}&blockchain=base`)
    expect(body.result[0].coinData).toEqual({ count: -0.5, symbol: 'ETH', currentValue: 1000 })
    expect(body.result[0].profitLoss).toEqual({
      profit: -100,
      profitPercent: (-100 / 900) * 100,
      currentValue: 1000,
    })
  })

  test.each([
    [`address=${first}&connectionId=all`, [5, 3, 4, 2, 1], 300],
    [`address=${first}&connectionId=ethereum,base-wallet`, [5, 3, 4, 2, 1], 60],
    [`address=${first}&connectionId=base-wallet`, [2], 30],
    [`address=${second}&connectionId=all`, [6], 300],
    [`address=${empty}&connectionId=all`, [], 300],
    [`wallets=ethereum:${second},all:${first}`, [5, 6, 3, 4, 2, 1], 330],
    [`wallets=base:${first},base-wallet:${first}`, [2], 30],
    [`wallets=ethereum:${first},all:${first}`, [5, 3, 4, 2, 1], 330],
  ])('lists the transactions of %s', async (query, hashes, cost) => {
    const { credits } = await transactions(`/wallet/transactions?${query}`)
    expect(await hashesOf(query)).toEqual(hashes)
    expect(credits).toBe(cost)
  })

  test.each([
    ['types=deposit', [5, 1]],
    ['types=withdraw,approve', [4, 2]],
    ['types=balance', []],
    ['coinId=usd-coin', [3]],
    [`coinId=${address(9)}_ethereum`, [5]],
    [`txId=${hash(2)}`, [2]],
    [`txId=${hash(2).toUpperCase().replace('0X', '0x')}`, [2]],
    [`txId=${hash(99)}`, []],
    ['hideUnidentifiedCoins=true', [3, 4, 2, 1]],
    ['hideUnidentifiedCoins=1', [3, 4, 2, 1]],
    ['hideUnidentifiedCoins=0', [5, 3, 4, 2, 1]],
    ['from=2026-01-02', [5, 3, 4, 2]],
    ['from=2026-01-02T10:00:00Z&to=2026-01-03', [3, 4, 2]],
    ['to=2026-01-02T11:00:00%2B01:00', [1]],
    ['types=deposit&hideUnidentifiedCoins=true&from=2026-01-01&to=2027-01-01', [1]],
  ])('filters by %s', async (filter, hashes) =>
    expect(await hashesOf(`address=${first}&connectionId=all&${filter}`)).toEqual(hashes),
  )

  test('returns pages, also past the end and with filters', async () => {
    const all = `address=${first}&connectionId=all`
    expect(await hashesOf(`${all}&limit=2`)).toEqual([5, 3])
    expect(await hashesOf(`${all}&limit=2&page=2`)).toEqual([4, 2])
    expect(await hashesOf(`${all}&limit=2&page=3`)).toEqual([1])
    expect(await hashesOf(`${all}&limit=2&page=4`)).toEqual([])
    expect(await hashesOf(`${all}&limit=100&page=2147483647`)).toEqual([])
    expect(await hashesOf(`${all}&limit=2&page=2&hideUnidentifiedCoins=true`)).toEqual([2, 1])
    expect(await hashesOf(`${all}&limit=2&page=9&types=deposit`)).toEqual([])
    expect(await hashesOf(`wallets=all:${first},all:${second}&limit=2&page=2`)).toEqual([3, 4])
  })

  test('converts past values at the rate of the transaction and current values at the current rate', async () => {
    const { body } = await transactions(
      `/wallet/transactions?address=${first}&connectionId=ethereum&currency=EUR`,
    )
    const [newest, , , oldest] = body.result
    expect(oldest.transactions[0].items[0].totalWorth).toBe(400)
    expect(oldest.fee.totalWorth).toBe(1)
    expect(oldest.coinData.currentValue).toBe(900)
    expect(oldest.profitLoss).toEqual({ profit: 500, profitPercent: 125, currentValue: 900 })
    expect(newest.transactions[0].items[0].totalWorth).toBe(0)
    const inBtc = await transactions(
      `/wallet/transactions?address=${first}&connectionId=ethereum&currency=btc&limit=1&page=4`,
    )
    expect(inBtc.body.result[0].transactions[0].items[0].totalWorth).toBeCloseTo(800 / 100_000, 15)
    expect(inBtc.body.result[0].coinData.currentValue).toBeCloseTo(1000 / 80_000, 15)
  })

  test('the batched read and the filtered read give the same bytes', async () => {
    const textOf = async (query: string) =>
      (await api.get(`/wallet/transactions?address=${first}&${query}`, key)).text()
    for (const query of ['connectionId=all', 'connectionId=ethereum', 'connectionId=all&limit=2&page=2'])
      expect(await textOf(query)).toBe(await textOf(`${query}&from=2000-01-01`))
    const usd = await textOf('connectionId=all')
    expect(usd).toBe(JSON.stringify(JSON.parse(usd)))
  })

  test('concurrent requests each get their own page', async () => {
    const queries = [first, second, empty].flatMap((wallet) =>
      ['all', 'ethereum'].flatMap((network) =>
        [1, 2].map((page) => `address=${wallet}&connectionId=${network}&page=${page}&limit=3`),
      ),
    )
    const alone: unknown[] = []
    for (const query of queries) alone.push(await hashesOf(query))
    expect(await Promise.all(queries.map(hashesOf))).toEqual(alone)
    expect(alone[0]).toEqual([5, 3, 4])
  })

  test.each([
    `address=${unknown}&connectionId=all`,
    `address=${unknown}&connectionId=ethereum`,
    `address=${second}&connectionId=base-wallet`,
    `address=${second}&connectionId=ethereum,base-wallet`,
    `address=${second}&connectionId=base-wallet&types=deposit`,
    `wallets=all:${first},ethereum:${unknown}`,
    `wallets=all:${unknown}`,
  ])('%s returns 409', async (query) =>
    expect(await refusal(await api.get(`/wallet/transactions?${query}`, key))).toEqual([
      409,
      'Transactions not synced',
    ]),
  )

  test.each([
    ['connectionId=all', 'address'],
    [`address=${first}`, 'connectionId'],
    [`address=${first}&connectionId=all&limit=101`, 'limit'],
    [`address=${first}&connectionId=all&limit=0`, 'limit'],
    [`address=${first}&connectionId=all&page=-1`, 'page'],
    [`address=${first}&connectionId=all&types=deposit,Deposit`, 'types'],
    [`address=${first}&connectionId=all&txId=0x12`, 'txId'],
    [`address=${first}&connectionId=all&coinId=a%20b`, 'coinId'],
    [`address=${first}&connectionId=all&hideUnidentifiedCoins=yes`, 'hideUnidentifiedCoins'],
    [`address=${first}&connectionId=all&from=2026-02-30`, 'from'],
    [`address=${first}&connectionId=all&to=1770000000`, 'to'],
    [`address=${first}&connectionId=all&from=2026-01-02&to=2026-01-02`, 'to'],
    [`address=${first}&connectionId=all&currency=XXX`, 'currency'],
    [`wallets=ethereum`, 'wallets'],
    [`wallets=ethereum:${first}:1`, 'wallets'],
    [`wallets=:${first}`, 'wallets'],
    [`wallets=nowhere:${first}`, 'wallets'],
  ])('%s returns 400', async (query, name) =>
    expect(await refusal(await api.get(`/wallet/transactions?${query}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})
