import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getBalanceMany, getBalances } from '../../api/chain/get-balances.ts'
import { getBlockchains } from '../../api/chain/get-blockchains.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import {
  activateNetworks,
  address,
  insertBalance,
  insertMovement,
  insertWallet,
} from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const blockchains = endpoint(api, { route: getBlockchains, key })
const balance = endpoint(api, { route: getBalance, key })
const many = endpoint(api, { route: getBalanceMany, key })
const old = endpoint(api, { route: getBalances, key })
const at = (text: string) => new Date(text)
const [rich, poor, unknown] = [address(1), address(2), address(3)]
const TOKEN = address(0xa)
const SPAM = `${address(0xb)}_ethereum`

beforeAll(async () => {
  const db = api.owner
  await activateNetworks(db, ['ethereum', 'base-wallet'])
  const quoteAt = at('2026-03-10T12:00:00Z')
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', priceUsd: '80000', at: quoteAt })
  await insertCoin(db, {
    id: 'ethereum',
    symbol: 'eth',
    name: 'Ethereum',
    rank: 2,
    priceUsd: '2000',
    quote: { price_change_1d: '1.5', volume_24h_usd: '15000000000' },
    at: quoteAt,
  })
  const walletId = await insertWallet(db, {
    address: rich,
    syncs: {
      ethereum: at('2026-03-10T10:00:00Z'),
      'base-wallet': at('2026-03-10T09:00:00Z'),
      'polygon-wallet': null,
    },
  })
  const common = { walletId, at: quoteAt }
  await insertBalance(db, {
    ...common,
    networkId: 'ethereum',
    coinId: 'ethereum',
    raw: '1500000000000000001',
  })
  await insertBalance(db, {
    ...common,
    networkId: 'base-wallet',
    coinId: 'ethereum',
    raw: '2000000000000000000',
  })
  const own = { ...common, networkId: 'ethereum' }
  await insertBalance(db, {
    ...own,
    coinId: `${TOKEN}_ethereum`,
    raw: '7',
    decimals: null,
    token: { address: TOKEN, name: 'Bare', symbol: 'BARE' },
  })
  await insertBalance(db, {
    ...own,
    coinId: SPAM,
    raw: '1000',
    token: { address: address(0xb), name: 'visit site', spamReason: 'advertises' },
  })
  const moved = { ...own, at: at('2026-03-09T10:00:00Z'), coinId: SPAM, priceUsd: '0', role: 'spam' }
  await insertMovement(db, { ...moved, hash: '0x1', raw: '5000000000000000000' })
  await insertMovement(db, { ...moved, hash: '0x2', raw: '-2000000000000000000' })
  // Spam no longer: its coin has become a known one.
  const noted = [SPAM, 'became-a-coin'].map((coin_id) => ({
    wallet_id: walletId,
    network_id: 'ethereum',
    coin_id,
  }))
  await db.insertInto('wallet_spam').values(noted).execute()
  await insertBalance(db, { ...own, coinId: 'sold', raw: '0', token: { address: address(0xc) } })
  await insertWallet(db, { address: poor, syncs: { ethereum: at('2026-03-10T11:00:00Z') } })
})

test('GET /wallet/blockchains lists the networks with a configured source', async () => {
  const { body, credits } = await blockchains('/wallet/blockchains')
  expect(body.map(({ connectionId, chain }: Record<string, string>) => [connectionId, chain])).toEqual([
    ['ethereum', 'ethereum'],
    ['base-wallet', 'base'],
  ])
  expect(credits).toBe(1)
})

describe('GET /wallet/balance', () => {
  test('returns the balances without spam, the most valuable first, for 40 credits', async () => {
    const { body, headers, credits } = await balance(`/wallet/balance?address=${rich}&connectionId=ethereum`)
    expect(body).toEqual([
      {
        coinId: 'ethereum',
        name: 'Ethereum',
        symbol: 'ETH',
        imgUrl: 'https://icons.example/ethereum.png',
        amount: 1.5,
        price: 2000,
        isPriced: true,
        priceBtc: 0.025,
        pCh24h: 1.5,
        rank: 2,
        volume: 15e9,
        chain: 'ethereum',
        connectionId: 'ethereum',
        decimals: 18,
      },
      {
        coinId: `${TOKEN}_ethereum`,
        name: 'Bare',
        symbol: 'BARE',
        imgUrl: '',
        amount: 7,
        price: 0,
        isPriced: false,
        priceBtc: 0,
        pCh24h: 0,
        rank: 0,
        volume: 0,
        chain: 'ethereum',
        connectionId: 'ethereum',
        contractAddress: TOKEN,
      },
    ])
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T10:00:00.000Z')
    expect(credits).toBe(40)
  })

  test.each([
    ['connectionId=all', 400, ['base-wallet', 'ethereum', 'ethereum']],
    ['connectionId=forceall', 400, ['base-wallet', 'ethereum', 'ethereum']],
    ['blockchain=ERC20,Base', 80, ['base-wallet', 'ethereum', 'ethereum']],
    ['connectionId=ethereum,base-wallet,ethereum', 80, ['base-wallet', 'ethereum', 'ethereum']],
    ['connectionId=all,base-wallet', 440, ['base-wallet', 'ethereum', 'ethereum']],
    ['blockchain=base', 40, ['base-wallet']],
    ['blockchain=ethereum,base&connectionId=base-wallet', 40, ['base-wallet']],
    ['connectionId=base-wallet,polygon-wallet', 80, ['base-wallet']],
  ])('%s costs %i', async (selection, cost, networks) => {
    const { body, credits, headers } = await balance(`/wallet/balance?address=${rich}&${selection}`)
    expect(body.map(({ connectionId }: { connectionId: string }) => connectionId)).toEqual(networks)
    expect(credits).toBe(cost)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T09:00:00.000Z')
  })

  test('counts the tokens of spam that it leaves out, and shows them if asked', async () => {
    const path = `/wallet/balance?address=${rich}&connectionId=all`
    const hidden = await balance(path)
    expect(hidden.headers.get('x-hidden-spam')).toBe('1')
    const whole = await balance(`${path}&includeSpam=true`)
    expect(whole.headers.has('x-hidden-spam')).toBe(false)
    expect(whole.body.slice(0, -1)).toEqual(hidden.body)
    expect(whole.body.at(-1)).toMatchObject({
      coinId: SPAM,
      name: 'visit site',
      amount: 3,
      price: 0,
      isPriced: false,
      contractAddress: address(0xb),
      spam: 'advertises',
    })
    const { headers } = await balance(`/wallet/balance?address=${poor}&connectionId=all`)
    expect(headers.has('x-hidden-spam')).toBe(false)
    const each = await many(`/wallet/balance/many?wallets=ethereum:${rich},base:${rich}&includeSpam=true`)
    expect(each.body.map(({ balances }: { balances: { spam?: string }[] }) => balances.at(-1)!.spam)).toEqual(
      ['advertises', undefined],
    )
  })

  test('leaves out and counts balances that are worth less than asked, but none of unknown worth', async () => {
    const path = `/wallet/balance?address=${rich}&connectionId=all`
    const whole = await balance(path)
    expect(whole.headers.has('x-hidden-dust')).toBe(false)
    // 1.500000000000000001 ETH are worth a trace more than 3,000 USD, which a double does not tell apart.
    const just = await balance(`${path}&minValueUsd=3000.000000000000002`)
    expect([just.headers.get('x-hidden-dust'), just.body]).toEqual([null, whole.body])
    const most = await balance(`${path}&minValueUsd=3000.000000000000003`)
    expect(most.headers.get('x-hidden-dust')).toBe('1')
    expect(most.body).toEqual([whole.body[0], whole.body[2]])
    const each = await many(`/wallet/balance/many?wallets=ethereum:${rich},base:${rich}&minValueUsd=1000000`)
    expect(each.headers.get('x-hidden-dust')).toBe('2')
    expect(each.body.map(({ balances }: { balances: unknown[] }) => balances.length)).toEqual([1, 0])
    for (const wrong of ['-1', '1e3', 'NaN'])
      expect(await refusal(await api.get(`${path}&minValueUsd=${wrong}`, key))).toEqual([
        400,
        'Invalid parameter: minValueUsd',
      ])
  })

  test('a synced wallet without balances returns an empty list', async () =>
    expect((await balance(`/wallet/balance?address=${poor}&connectionId=all`)).body).toEqual([]))

  test('returns 400 when no named network has a source', async () =>
    expect(
      await refusal(await api.get(`/wallet/balance?address=${rich}&connectionId=polygon-wallet`, key)),
    ).toEqual([400, 'Network not available: polygon-wallet']))

  test.each([
    [`address=${rich}`, 'connectionId'],
    ['connectionId=ethereum', 'address'],
    [`address=${rich}&connectionId=nowhere`, 'connectionId'],
    [`address=${rich}&connectionId=ethereum,`, 'connectionId'],
    [`address=${rich}&blockchain=base-chain`, 'blockchain'],
    ['address=vitalik.eth&connectionId=ethereum', 'address'],
    ['address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD2&connectionId=ethereum', 'address'],
  ])('%s returns 400', async (query, name) =>
    expect(await refusal(await api.get(`/wallet/balance?${query}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})

describe('GET /wallet/balance/many', () => {
  test('returns one entry per wallet and network and charges each pair', async () => {
    const { body, credits, headers } = await many(
      `/wallet/balance/many?wallets=base:${rich},all:${poor},ethereum:${unknown}`,
    )
    expect(body).toMatchObject([
      { address: rich, connectionId: 'base-wallet', blockchain: 'base', balances: [{ amount: 2 }] },
      { address: poor, connectionId: 'ethereum', blockchain: 'ethereum', balances: [] },
    ])
    expect(credits).toBe(40 + 400 + 40)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T09:00:00.000Z')
  })
  test('accepts an address with blockchain, with its old name networks, or alone for all networks', async () => {
    const networksOf = async (query: string) => {
      const { body, credits } = await many(`/wallet/balance/many?address=${rich}${query}`)
      return [body.map(({ connectionId }: { connectionId: string }) => connectionId), credits]
    }
    expect(await networksOf('&blockchain=base')).toEqual([['base-wallet'], 40])
    expect(await networksOf('&networks=base,ethereum')).toEqual([['base-wallet', 'ethereum'], 80])
    expect(await networksOf('')).toEqual([['ethereum', 'base-wallet'], 400])
  })
  test('returns 400 without a wallet and 503 when no wallet has balances', async () => {
    expect(await refusal(await api.get('/wallet/balance/many', key))).toEqual([
      400,
      'Invalid parameter: wallets',
    ])
    expect((await api.get(`/wallet/balance/many?wallets=all:${unknown}`, key)).status).toBe(503)
  })
  test('the old path returns the same response and links to its successor', async () => {
    const { body, headers, credits } = await old(`/wallet/balances?wallets=all:${rich}`)
    expect(body).toEqual((await many(`/wallet/balance/many?wallets=all:${rich}`)).body)
    expect(headers.get('deprecation')).toBe('true')
    expect(headers.get('link')).toBe('</v1/wallet/balance/many>; rel="successor-version"')
    expect(credits).toBe(400)
  })
})
