import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import { createPortfolio } from '../../db/portfolios/operator.ts'
import { hashApiKey } from '../../db/values/api-key.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { PAUSE_MS } from './attempt.ts'
import type { Send } from './demo-api.ts'

interface DemoOptions {
  send: Send
  /** API key of the demo account. */
  key: string
  db: Db
  deadlineMs: number
}

export interface DemoPortfolio {
  portfolioId: string
  portfolioName: string
  portfolioType: 'manual' | 'wallet' | 'exchange'
}

const BY_HAND = 'By hand'

/** Manual transactions at noon some days ago. No two have both coin and count in common. */
const STATED = [
  { coinId: 'bitcoin', count: 0.4, daysAgo: 200, notes: 'The first one' },
  { coinId: 'ethereum', count: 3, daysAgo: 90 },
  { coinId: 'bitcoin', count: -0.15, daysAgo: 20, notes: 'For the holidays' },
]

/**
 * Creates a wallet portfolio and a manual portfolio for the demo account; its exchange account already has
 * one. Returns all portfolios once their figures are computed; null: not in time.
 */
export async function demoPortfolios(
  options: DemoOptions & { wallet: { address: string; connectionId: string } },
): Promise<DemoPortfolio[] | null> {
  const { send } = options
  const list = async () => ((await send('GET', '/portfolio/list')) as { result: DemoPortfolio[] }).result
  const there = await list()
  if (!there.some(({ portfolioType }) => portfolioType === 'wallet'))
    await send('POST', '/portfolio/wallet', { ...options.wallet, name: 'Demo wallet' })
  const byHand = there.find(({ portfolioType }) => portfolioType === 'manual')
  // A manual portfolio with another name belongs to the user.
  if (byHand === undefined || byHand.portfolioName === BY_HAND)
    await stateTransactions(options, byHand?.portfolioId ?? (await createManual(options)))
  const portfolios = await list()
  for (; Date.now() < options.deadlineMs; await sleep(PAUSE_MS)) {
    const statuses = await Promise.all(
      portfolios.map(({ portfolioId }) => send('GET', `/portfolio/status?portfolioId=${portfolioId}`)),
    )
    if (statuses.every((body) => (body as { status: string }).status === 'synced')) {
      await send('GET', '/portfolio/value')
      return portfolios
    }
  }
  return null
}

/** Adds the missing manual transactions: an interrupted start may have added some. */
async function stateTransactions({ db, send }: DemoOptions, portfolioId: string): Promise<void> {
  const there = await db
    .selectFrom('manual_transactions')
    .select(['coin_id', 'count'])
    .where('portfolio_id', '=', portfolioId)
    .execute()
  const noonMs = startOfPeriod('daily', Date.now()) + DAY_MS / 2
  const isThere = ({ coinId, count }: (typeof STATED)[number]) =>
    there.some((one) => one.coin_id === coinId && Number(one.count) === count)
  for (const { daysAgo, ...stated } of STATED.filter((one) => !isThere(one)))
    await send('POST', '/portfolio/transaction', {
      ...stated,
      portfolioId,
      date: noonMs - daysAgo * DAY_MS,
    })
}

async function createManual({ db, key }: DemoOptions): Promise<string> {
  const { account_id: accountId } = await db
    .selectFrom('api_keys')
    .select('account_id')
    .where('hash', '=', hashApiKey(key))
    .executeTakeFirstOrThrow()
  const { portfolioId } = await createPortfolio(db, { accountId, name: BY_HAND, now: new Date() })
  return portfolioId
}
