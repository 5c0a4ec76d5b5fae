import { beforeAll, describe, expect, test } from 'vitest'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { routes } from '../../api/routes.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import type { DefiReadToWrite } from '../../db/defi/write-positions.ts'
import { openDb } from '../../db/connect.ts'
import { transact } from '../../db/transact.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks, address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const defi = endpoint(api, { route: getWalletDefi, key })
const at = (text: string) => new Date(text)
const [lender, plain, unread, failed] = [address(1), address(2), address(3), address(5)]
const [USDC, BARE, SCAM] = [address(0xa), address(0xb), address(0xc)]
const AAVE = address(0xaa)
const NO_TIMES = { unlockAt: null, endAt: null }
const ETHER = 10n ** 18n

type Position = DefiReadToWrite['positions'][number]

beforeAll(async () => {
  const db = api.owner
  const quoteAt = at('2026-03-10T12:00:00Z')
  await activateNetworks(db, ['ethereum', 'base-wallet', 'rootstock-wallet'])
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', priceUsd: '80000', at: quoteAt })
  await insertCoin(db, { id: 'ethereum', symbol: 'eth', priceUsd: '2000', at: quoteAt })
  const contracts = ['ethereum', 'base'].map((blockchain) => ({ blockchain, address: USDC, decimals: 6 }))
  await insertCoin(db, { id: 'usd-coin', symbol: 'usdc', priceUsd: '1.5', at: quoteAt, contracts })
  await insertCoin(db, { id: 'scam', symbol: 'scam', priceUsd: '9', at: quoteAt })
  const syncs = {
    ethereum: at('2026-03-10T10:00:00Z'),
    'base-wallet': at('2026-03-10T10:00:00Z'),
    'polygon-wallet': null,
  }
  const walletId = await insertWallet(db, { address: lender, syncs })
  // Inserting balances also inserts the tokens.
  const held = { walletId, networkId: 'ethereum', raw: '0', at: quoteAt }
  await insertBalance(db, {
    ...held,
    coinId: `${USDC}_ethereum`,
    decimals: 6,
    token: { address: USDC, symbol: 'USDC' },
  })
  await insertBalance(db, {
    ...held,
    coinId: `${BARE}_ethereum`,
    decimals: null,
    token: { address: BARE, symbol: 'BARE' },
  })
  await insertBalance(db, {
    ...held,
    coinId: 'scam',
    token: { address: SCAM, symbol: 'SCAM', spamReason: 'advertises' },
  })
  await insertBalance(db, {
    ...held,
    networkId: 'base-wallet',
    coinId: `${USDC}_base`,
    decimals: 6,
    token: { address: USDC, symbol: 'USDC' },
  })
  await store(walletId, 'ethereum', at('2026-03-10T11:00:00Z'), [
    {
      protocolId: 'aave-v3',
      id: AAVE,
      name: 'Lending, Core market',
      poolAddress: AAVE,
      healthRate: '1.75',
      ...NO_TIMES,
      assets: [
        { role: 'supplied', token: null, raw: 2n * ETHER },
        { role: 'borrowed', token: USDC, raw: 1_000_000_000n, aprPercent: '4.25' },
      ],
    },
    {
      protocolId: 'aave-staking',
      id: 'stk',
      name: 'Staked AAVE',
      poolAddress: address(0xab),
      healthRate: null,
      unlockAt: at('2026-03-20T00:00:00Z'),
      endAt: at('2026-03-22T00:00:00Z'),
      isProxy: true,
      assets: [{ role: 'staked', token: BARE, raw: 5n }],
    },
    {
      protocolId: 'uniswap-v3',
      id: '77',
      name: 'Liquidity 0.3%',
      poolAddress: address(0xac),
      healthRate: null,
      ...NO_TIMES,
      assets: [
        { role: 'supplied', token: USDC, raw: 4_000_000n },
        { role: 'supplied', token: SCAM, raw: 10n ** 30n },
      ],
    },
  ])
  await store(walletId, 'base-wallet', at('2026-03-10T11:30:00Z'), [
    {
      protocolId: 'aave-v3',
      id: AAVE,
      name: 'Lending, Core market',
      poolAddress: AAVE,
      healthRate: null,
      ...NO_TIMES,
      assets: [{ role: 'supplied', token: USDC, raw: 2_000_000n }],
    },
  ])
  const plainId = await insertWallet(db, {
    address: plain,
    syncs: { ethereum: syncs.ethereum, 'rootstock-wallet': syncs.ethereum },
  })
  await store(plainId, 'ethereum', at('2026-03-10T11:00:00Z'), [])
  await insertWallet(db, { address: unread, syncs: { ethereum: syncs.ethereum } })
  const failedId = await insertWallet(db, { address: failed, syncs: { ethereum: syncs.ethereum } })
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
  await failDefiRead(pool, {
    walletId: failedId,
    networkId: 'ethereum',
    source: 'test',
    failure: 'reverted',
    at: at('2026-03-10T11:00:00Z'),
  })
  await close()
})

async function store(walletId: string, networkId: string, fetchedAt: Date, positions: Position[]) {
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
  const block = { number: 7, hash: hash(7), at: fetchedAt }
  const answered = ['aave-v3', 'aave-staking', 'compound-v3', 'uniswap-v3', 'lido']
  const read = {
    walletId,
    networkId,
    block,
    source: 'test',
    fetchedAt,
    answered,
    unknown: [],
    failure: null,
    positions,
  }
  await transact(pool, ({ client }) => writeDefiRead(client, read))
  await close()
}

const triple = (usd: number) => ({ USD: usd, BTC: usd / 80_000, ETH: usd / 2_000 })

describe('GET /wallet/defi', () => {
  test('returns positions with current values less debts, by protocol and network', async () => {
    const { body, headers, credits } = await defi(`/wallet/defi?address=${lender}&connectionId=all`)
    expect(credits).toBe(4_000)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T11:00:00.000Z')
    // 2 ETH less 1,000 USDC, and 2 USDC on the other network; the rest has no known price.
    expect(body.totalAssets).toEqual(triple(2_500 + 3))
    expect(body.protocols.map(({ id }: { id: string }) => id)).toEqual([
      `aave-v3:ethereum:${lender}`,
      `aave-staking:ethereum:${lender}`,
      `uniswap-v3:ethereum:${lender}`,
      `aave-v3:base-wallet:${lender}`,
    ])
    expect(body.protocols[0]).toEqual({
      id: `aave-v3:ethereum:${lender}`,
      name: 'Aave V3',
      totalValue: triple(2_500),
      logo: 'https://icons.llamao.fi/icons/protocols/aave-v3',
      url: 'https://app.aave.com',
      blockchain: { name: 'Ethereum', icon: 'https://icons.llamao.fi/icons/chains/rsz_ethereum.jpg' },
      chain: 'ethereum',
      walletAddress: lender,
      investments: [
        {
          id: AAVE,
          name: 'Lending, Core market',
          value: triple(2_500),
          symbols: 'ETH/USDC',
          poolAddress: AAVE,
          poolProjectId: 'aave-v3',
          isProxy: false,
          healthRate: 1.75,
          healthRateLink: 'https://aave.com/help/borrowing/liquidations',
          debtRatio: 0.375,
          debtRatioLink: 'https://aave.com/help/borrowing/liquidations',
          assets: [
            {
              title: 'Supplied',
              amount: 2,
              symbol: 'ETH',
              price: triple(4_000),
              unitPrice: triple(2_000),
              coinId: 'ethereum',
              logo: 'https://icons.example/ethereum.png',
              danger: false,
            },
            {
              address: USDC,
              title: 'Borrowed',
              amount: -1_000,
              symbol: 'USDC',
              apr: 4.25,
              price: triple(-1_500),
              unitPrice: triple(1.5),
              coinId: 'usd-coin',
              logo: 'https://icons.example/usd-coin.png',
              danger: false,
            },
          ],
        },
      ],
    })
  })

  test('leaves unknown prices, times and health rates out of fields and sums', async () => {
    const { body } = await defi(`/wallet/defi?address=${lender}&blockchain=ethereum`)
    const [, staking, pool] = body.protocols
    expect(staking.totalValue).toEqual(triple(0))
    expect(staking.investments[0]).toEqual({
      id: 'stk',
      name: 'Staked AAVE',
      symbols: 'BARE',
      poolAddress: address(0xab),
      poolProjectId: 'aave-staking',
      unlockAt: '2026-03-20T00:00:00.000Z',
      endAt: '2026-03-22T00:00:00.000Z',
      isProxy: true,
      assets: [
        // In base units: the contract gives no decimals.
        {
          address: BARE,
          title: 'Staked',
          amount: 5,
          symbol: 'BARE',
          coinId: `${BARE}_ethereum`,
          danger: false,
        },
      ],
    })
    // With the price of spam, the position would be worth 9e12 USD.
    expect(pool.totalValue).toEqual(triple(0))
    expect(pool.investments[0]).not.toHaveProperty('value')
    expect(pool.investments[0].assets.map(({ danger }: { danger: boolean }) => danger)).toEqual([false, true])
    expect(pool.investments[0].assets[1]).not.toHaveProperty('price')
    expect(pool.investments[0].assets[1].unitPrice).toEqual(triple(9))
  })

  test('returns only the requested networks and charges for them', async () => {
    const base = await defi(`/wallet/defi?address=${lender}&connectionId=base-wallet`)
    expect(base.credits).toBe(400)
    expect(base.headers.get('x-data-as-of')).toBe('2026-03-10T11:30:00.000Z')
    expect(base.body.protocols[0].investments[0]).not.toHaveProperty('healthRate')
    expect(base.body.totalAssets).toEqual(triple(3))
    const mixed = await defi(`/wallet/defi?address=${lender}&blockchain=base,all`)
    expect(mixed.credits).toBe(4_400)
    // connectionId wins, and only it is priced.
    const both = await defi(`/wallet/defi?address=${lender}&connectionId=base-wallet&blockchain=all`)
    expect([both.credits, both.body]).toEqual([400, base.body])
  })

  test('returns no protocols for a wallet without positions and for a network without protocols', async () => {
    const nothing = { totalAssets: triple(0), protocols: [] }
    const none = await defi(`/wallet/defi?address=${plain}&connectionId=ethereum`)
    expect([none.body, none.headers.get('x-data-as-of')]).toEqual([nothing, '2026-03-10T11:00:00.000Z'])
    expect((await defi(`/wallet/defi?address=${plain}&connectionId=rootstock-wallet`)).body).toEqual(nothing)
  })

  test('names a network as pending until its positions are read', async () => {
    for (const wallet of [unread, failed]) {
      const { body, headers } = await defi(`/wallet/defi?address=${wallet}&connectionId=ethereum`)
      const pending = [`ethereum:${wallet}`]
      expect(body).toEqual({ totalAssets: triple(0), protocols: [], meta: { pending } })
      expect(headers.get('x-sync-status')).toBe('syncing')
    }
  })

  test('returns 403 on the free plan before any lookup', async () => {
    const free = await api.newAccount({ plan: 'free' })
    const response = await api.get(`/wallet/defi?address=${lender}&connectionId=ethereum`, free.key)
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(await refusal(response)).toEqual([403, 'Forbidden resource'])
  })

  const lenders = `address=${lender}`
  test.each([
    ['address', 'connectionId=all'],
    ['address', `address=${lender.slice(0, -1)}&connectionId=all`],
    ['address', `address=${lender.slice(2)}&connectionId=all`],
    ['address', `address=0X${lender.slice(2)}&connectionId=all`],
    ['address', `address=${lender.replace('1', 'g')}&connectionId=all`],
    [
      'address',
      `address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD&connectionId=all`.replace('BeAeD', 'Beaed'),
    ],
    ['address', 'address=vitalik.eth&connectionId=all'],
    ['address', `address=%20${lender}&connectionId=all`],
    ['address', `address=${lender}%0A&connectionId=all`],
    ['address', `${lenders}&${lenders}&connectionId=all`],
    // Addresses of another family than the network's.
    ['address', `${lenders}&connectionId=bitcoin`],
    ['address', 'address=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq&connectionId=ethereum'],
    ['connectionId', lenders],
    ['connectionId', `${lenders}&connectionId=`],
    ['connectionId', `${lenders}&connectionId=ethereum,`],
    ['connectionId', `${lenders}&connectionId=ethereum,nowhere`],
    ['connectionId', `${lenders}&connectionId=ALL`],
    ['connectionId', `${lenders}&connectionId=constructor&blockchain=all`],
    ['blockchain', `${lenders}&blockchain=ethereum,,base`],
  ])('400 names the parameter: %s in %s', async (name, queryText) => {
    const response = await api.get(`/wallet/defi?${queryText}`, key)
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(await refusal(response)).toEqual([400, `Invalid parameter: ${name}`])
  })

  test('charges once for a network that is named twice', async () => {
    const { credits } = await defi(
      `/wallet/defi?address=${lender}&connectionId=ethereum,ethereum,base-wallet`,
    )
    expect(credits).toBe(800)
  })
})
