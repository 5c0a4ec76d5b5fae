import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { writeSnapshots } from '../../activities/pnl/write-snapshots.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { setDegen } from '../../db/metering/write.ts'
import { markBookDirty } from '../../db/pnl/books.ts'
import { dueSnapshots } from '../../db/portfolios/write-snapshots.ts'
import { removePortfolio } from '../../db/portfolios/give-up.ts'
import { storeQuotes } from '../../db/prices/write-coins.ts'
import { storeFiatRates, storePrices } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { DAY_MS, HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import { insertMovements } from '../pnl/world.ts'
import { startApi } from '../setup/api.ts'
import type { TestDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'
import { portfolioWorld } from './portfolio-world.ts'
import { share } from './share-probe.ts'

const COINS = ['bitcoin', 'ethereum', 'tether', 'late-coin']
const TOKEN = address(0xa)
const UNLISTED = address(0xb)
/** The coin of a token that no list of coins has. */
export const UNLISTED_COIN = `${UNLISTED}_ethereum`

const coin = fc.constantFrom(...COINS)
const heldCoin = fc.constantFrom(...COINS, UNLISTED_COIN)
const method = fc.constantFrom(...COST_METHODS)
/** Half of them in about the last day, whose moves are shown separately. */
const hoursAgo = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 24 * 70 }))
const usd = fc.integer({ min: 1, max: 100_000 })

/** A change that may happen between two answers. */
export const step = fc.oneof(
  fc.record({
    kind: fc.constant('state' as const),
    coin,
    hoursAgo,
    count: fc.integer({ min: -5, max: 9 }),
    usd,
  }),
  fc.record({ kind: fc.constant('take back' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('correct' as const),
    pick: fc.nat(),
    hoursAgo,
    count: fc.integer({ min: -5, max: 9 }),
    usd,
  }),
  fc.record({
    kind: fc.constant('move' as const),
    coin: heldCoin,
    hoursAgo,
    count: fc.integer({ min: -3, max: 9 }),
  }),
  fc.record({ kind: fc.constant('reorg' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('label' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('price' as const),
    coin,
    hoursAgo,
    usd,
    isDay: fc.boolean(),
    isFollowed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('quote' as const), coin, usd }),
  fc.record({ kind: fc.constant('score' as const), coin, usd }),
  fc.record({ kind: fc.constant('rate' as const), hoursAgo, usd }),
  fc.record({ kind: fc.constant('rename' as const), coin: heldCoin, usd }),
  fc.record({ kind: fc.constant('method' as const), method, ofAccount: fc.boolean() }),
  fc.record({ kind: fc.constant('sync' as const) }),
  fc.record({ kind: fc.constant('snapshot' as const) }),
  fc.record({ kind: fc.constant('position' as const), raw: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('spam' as const), isSpam: fc.boolean() }),
  fc.record({ kind: fc.constant('join' as const), coin, usd }),
  fc.record({ kind: fc.constant('leave' as const), pick: fc.nat() }),
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A request and its answer. */
export interface Answered {
  path: string
  key: string
  status: number
  asOf: string | null
  text: string
}

/**
 * An account with portfolios of several kinds. The clock of the service is the machine's, or stands still.
 */
export async function asOfWorld(database: TestDatabase) {
  let still: Date | null = null
  const now = () => still ?? new Date()
  const api = await startApi({ database, routes, overrides: { now } })
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  const { db, pool } = ingest
  const world = portfolioWorld(database, { db: api.owner }, ingest, now)
  const run = <T extends object = { id: string }>(text: string, values: unknown[] = []) =>
    query<T>(database.ownerUrl, text, values)
  const before = (hours: number) => new Date(Math.floor(Date.now() / HOUR_MS - hours) * HOUR_MS)
  const midnight = new Date(startOfPeriod('daily', Date.now()))

  for (const [index, id] of COINS.entries()) {
    await insertCoin(api.owner, { id, priceUsd: String(100 * (index + 1)), at: before(0), rank: index })
    const length = id === 'late-coin' ? 3 : 70
    const days = Array.from({ length }, (_, day) => new Date(midnight.getTime() - day * DAY_MS))
    const points = days.map((at, day) => [at, String(100 * (index + 1) + day)] as const)
    await insertPrices(api.owner, { coinId: id, resolution: 'day', points })
  }
  await run('select ensure_price_partitions($1, $2)', [before(24 * 80), before(-24)])
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [[new Date(startOfPeriod('daily', before(24 * 90).getTime())), '0.8']],
  })
  await activateNetworks(api.owner, ['ethereum'])
  const [owner, reader] = [await api.newAccount({ plan: 'pro' }), await api.newAccount({ plan: 'pro' })]
  const { accountId } = owner
  await setDegen(api.owner, { accountId, degen: true })
  const walletId = await insertWallet(api.owner, { address: address(1), syncs: { ethereum: null } })
  await insertBalance(api.owner, {
    walletId,
    networkId: 'ethereum',
    coinId: 'tether',
    raw: '0',
    decimals: 6,
    at: before(1),
    token: { address: TOKEN, symbol: 'TKN' },
  })
  await run(
    `insert into tokens (network_id, address, symbol, name, decimals, coin_id, source, fetched_at)
     values ('ethereum', $1, 'NEW', 'New Token', 18, $2, 'test', now())`,
    [UNLISTED, UNLISTED_COIN],
  )
  // Whether the positions of a wallet were ever read is not kept.
  await run(
    `insert into defi_reads (wallet_id, network_id, source, fetched_at) values ($1, 'ethereum', 'test', $2)`,
    [walletId, before(1)],
  )
  const book = { walletId, networkId: 'ethereum' }
  const wallet = await world.walletPortfolio(accountId, address(1), 'ethereum')
  const manual = await world.manualPortfolio(
    accountId,
    [{ at: before(24 * 40), coinId: 'bitcoin', count: 3, priceUsd: 90 }],
    { costMethod: 'fifo' },
  )
  const joined: string[] = []
  const { token } = await share(api, { portfolioId: manual, passcode: '000042' })
  const shared = `shareToken=${token}&passcode=000042`
  let made = 0

  const computeAll = async () => {
    if (made > 0) await world.compute(book)
    for (const portfolioId of [manual, ...joined]) await world.compute({ portfolioId })
  }
  /** A movement of the wallet, by `pick` modulo their number; undefined without movements. */
  const movementAt = async (pick: number) => {
    const rows = await run<{ tx_hash: string; at: Date }>(
      'select tx_hash, at from movements order by tx_hash',
    )
    return rows[pick % Math.max(rows.length, 1)]
  }
  const recompute = async (from: Date) => {
    await markBookDirty({ db, book, from })
    await world.compute(book)
  }

  async function apply(one: Step): Promise<void> {
    switch (one.kind) {
      case 'state':
        return world.state(manual, [
          { at: before(one.hoursAgo), coinId: one.coin, count: one.count || 1, priceUsd: one.usd },
        ])
      case 'take back': {
        const rows = await run('select id from manual_transactions where portfolio_id = $1 order by at, id', [
          manual,
        ])
        if (rows.length < 2) return
        const { id } = rows[one.pick % rows.length]!
        await api.get(`/portfolio/transaction/${id}`, owner.key, { method: 'DELETE' })
        return world.recompute(manual)
      }
      case 'correct': {
        const rows = await run('select id from manual_transactions where portfolio_id = $1 order by at, id', [
          manual,
        ])
        const response = await api.get(
          `/portfolio/transaction/${rows[one.pick % rows.length]!.id}`,
          owner.key,
          {
            method: 'PATCH',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              date: before(one.hoursAgo).getTime(),
              count: one.count || 1,
              price: one.usd,
            }),
          },
        )
        if (response.status !== 200) throw new Error(await response.text())
        return world.recompute(manual)
      }
      case 'move': {
        const at = before(one.hoursAgo)
        const raw = BigInt(one.count || 1) * 10n ** 18n
        const moved = { txHash: hash(++made), seq: 0, role: 'transfer' as const, coinId: one.coin, raw }
        await insertMovements(pool, [{ ...book, ...moved, atMs: at.getTime(), priceUsd: '150' }])
        await run('update wallet_syncs set synced_at = now()')
        return recompute(at)
      }
      case 'reorg': {
        const gone = await movementAt(one.pick)
        if (!gone) return
        await run('delete from movements where tx_hash = $1', [gone.tx_hash])
        return recompute(gone.at)
      }
      case 'label': {
        const named = await movementAt(one.pick)
        if (!named) return
        await run(`update movements set role = 'airdrop' where tx_hash = $1`, [named.tx_hash])
        return recompute(named.at)
      }
      case 'price': {
        const at = one.isDay
          ? new Date(startOfPeriod('daily', before(one.hoursAgo).getTime()))
          : before(one.hoursAgo)
        await transact(pool, (transaction) =>
          storePrices(transaction, {
            resolution: one.isDay ? 'day' : 'hour',
            points: [{ coinId: one.coin, at, usd: String(one.usd), source: 'other' }],
            histories: [],
            fetchedAt: at,
          }),
        )
        if (one.isFollowed) await computeAll()
        return
      }
      case 'quote':
        await transact(pool, (transaction) =>
          storeQuotes(transaction, [
            {
              coin_id: one.coin,
              price_usd: String(one.usd),
              volume_24h_usd: String(one.usd * 7),
              market_cap_usd: null,
              fully_diluted_valuation_usd: null,
              available_supply: null,
              total_supply: null,
              price_change_1h: String(one.usd % 9),
              price_change_1d: '1',
              price_change_1w: null,
              price_change_1m: null,
              all_time_high_usd: null,
              all_time_high_at: null,
              all_time_low_usd: null,
              all_time_low_at: null,
              at: new Date(),
              source: 'test',
              fetched_at: new Date(),
            },
          ]),
        )
        return
      case 'score':
        await run(
          `insert into coin_risks (coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change,
             source, fetched_at) values ($1, 1, 2, 3, $2, $2, 'test', now())
           on conflict (coin_id) do update set risk_score = excluded.risk_score, avg_change = excluded.avg_change`,
          [one.coin, one.usd % 100],
        )
        return
      case 'rate': {
        const at = new Date(startOfPeriod('daily', before(one.hoursAgo).getTime()))
        const rates = [{ currency: 'EUR', at, perUsd: String(one.usd / 1_000) }]
        await transact(pool, (transaction) =>
          storeFiatRates(transaction, { rates, source: 'test', fetchedAt: new Date() }),
        )
        return
      }
      case 'rename':
        if (one.coin === UNLISTED_COIN)
          await run('update tokens set symbol = $2, name = $2 where address = $1', [UNLISTED, `s${one.usd}`])
        else
          await run('update coins set symbol = $2, rank = $3 where id = $1', [
            one.coin,
            `s${one.usd}`,
            one.usd,
          ])
        return
      case 'method':
        await run(
          one.ofAccount
            ? 'update accounts set cost_method = $2 where id = $1'
            : `update portfolios set cost_method = $2 where account_id = $1 and kind = 'manual'`,
          [accountId, one.method],
        )
        await run('select mark_account_dirty($1)', [accountId])
        await world.settle(accountId)
        return computeAll()
      case 'sync':
        await run('update wallet_syncs set synced_at = now() where synced_at is not null')
        return
      case 'snapshot':
        for (const target of await dueSnapshots(db, { midnight, statedBefore: new Date(), limit: 9 }))
          await writeSnapshots({ pool, target, toMs: midnight.getTime(), now: new Date() })
        return
      case 'position': {
        const asset = { role: 'supplied', token: TOKEN, raw: BigInt(one.raw) * 10n ** 6n }
        const position = {
          protocolId: 'aave-v3',
          id: 'p',
          name: 'Aave',
          poolAddress: address(0xaa),
          healthRate: null,
          unlockAt: null,
          endAt: null,
          assets: [asset],
        }
        await transact(pool, ({ client }) =>
          writeDefiRead(client, {
            walletId,
            networkId: 'ethereum',
            block: { number: 1, hash: hash(1), at: before(1) },
            source: 'test',
            fetchedAt: new Date(),
            answered: ['aave-v3'],
            unknown: [],
            failure: null,
            positions: one.raw > 0 ? [position] : [],
          }),
        )
        return
      }
      case 'spam':
        await run('update tokens set spam_reason = $1', [one.isSpam ? 'advertises' : null])
        return
      case 'join': {
        const bought = { at: before(30), coinId: one.coin, count: 2, priceUsd: one.usd }
        joined.push(await world.manualPortfolio(accountId, [bought]))
        return
      }
      case 'leave': {
        const [portfolioId] = joined.splice(one.pick % Math.max(joined.length, 1), 1)
        if (portfolioId === undefined) return
        await run('update portfolios set account_id = null where id = $1', [portfolioId])
        await removePortfolio(pool, { portfolioId, accountId })
        return world.settle(accountId)
      }
    }
  }

  const asked: [path: string, key: string][] = [
    ['/portfolio/value?currency=EUR', owner.key],
    ['/portfolio/coins?limit=100&includeRiskScore=true', owner.key],
    ['/portfolio/snapshot/items?limit=100', owner.key],
    [`/portfolio/coins?portfolioId=${wallet}`, owner.key],
    [`/portfolio/coins?${shared}`, reader.key],
    [`/portfolio/value?currency=BTC&${shared}`, reader.key],
  ]

  async function ask(path: string, key: string): Promise<Answered> {
    const response = await api.get(path, key)
    const text = await response.text()
    const { status } = response
    // Error bodies contain the id of the request, so only the message is compared.
    const shown = status === 200 ? text : (JSON.parse(text) as { message: string }).message
    return { path, key, status, asOf: response.headers.get('x-data-as-of'), text: shown }
  }

  return {
    api,
    ingest,
    owner,
    reader,
    manual,
    shared,
    joined,
    world,
    apply,
    ask,
    run,
    before,

    /** All answers at one instant, which has passed when this returns. */
    async record(): Promise<{ at: Date; answers: Answered[] }> {
      await sleep(2)
      const at = new Date()
      await sleep(2)
      still = at
      const answers = await Promise.all(asked.map(([path, key]) => ask(path, key)))
      still = null
      return { at, answers }
    },

    /** The same request with `asOf`, sent now. */
    again: (at: Date, { path, key }: Answered): Promise<Answered> =>
      ask(`${path}&asOf=${at.toISOString()}`, key).then((answer) => ({ ...answer, path })),
  }
}
