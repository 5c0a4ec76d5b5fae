import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/connect.ts'
import { createPortfolio } from '../../db/portfolios/operator.ts'
import { hashApiKey } from '../../db/values/api-key.ts'
import { DAY_MS } from '../../db/values/periods.ts'

interface DemoOptions {
  apiUrl: string
  key: string
  db: Db
  deadlineMs: number
}

export interface DemoPortfolio {
  portfolioId: string
  portfolioName: string
  portfolioType: 'manual' | 'wallet' | 'exchange'
}

/** Bought and sold by hand, so many days ago. */
const STATED = [
  { coinId: 'bitcoin', count: 0.4, daysAgo: 200, notes: 'The first one' },
  { coinId: 'ethereum', count: 3, daysAgo: 90 },
  { coinId: 'bitcoin', count: -0.15, daysAgo: 20, notes: 'For the holidays' },
]

/**
 * The demo account follows a wallet, and has a portfolio that is stated by hand; its exchange account is one already.
 * Answers its portfolios, whose figures are computed; null: not in time.
 */
export async function demoPortfolios(
  options: DemoOptions & { wallet: { address: string; connectionId: string } },
): Promise<DemoPortfolio[] | null> {
  const call = caller(options)
  await call('POST', '/portfolio/wallet', { ...options.wallet, name: 'Demo wallet' })
  if (!(await listed(call)).some(({ portfolioType }) => portfolioType === 'manual')) {
    const portfolioId = await createManual(options)
    for (const { daysAgo, ...stated } of STATED)
      await call('POST', '/portfolio/transaction', {
        ...stated,
        portfolioId,
        date: Date.now() - daysAgo * DAY_MS,
      })
  }
  const portfolios = await listed(call)
  for (; Date.now() < options.deadlineMs; await sleep(500)) {
    const statuses = await Promise.all(
      portfolios.map(({ portfolioId }) => call('GET', `/portfolio/status?portfolioId=${portfolioId}`)),
    )
    const isDone = statuses.every(({ body }) => (body as { status?: string }).status === 'synced')
    if (isDone && (await call('GET', '/portfolio/value')).ok) return portfolios
  }
  return null
}

const listed = async (call: ReturnType<typeof caller>) =>
  ((await call('GET', '/portfolio/list')).body as { result: DemoPortfolio[] }).result

async function createManual({ db, key }: DemoOptions): Promise<string> {
  const { account_id: accountId } = await db
    .selectFrom('api_keys')
    .select('account_id')
    .where('hash', '=', hashApiKey(key))
    .executeTakeFirstOrThrow()
  const { portfolioId } = await createPortfolio(db, { accountId, name: 'By hand', now: new Date() })
  return portfolioId
}

function caller({ apiUrl, key }: Pick<DemoOptions, 'apiUrl' | 'key'>) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: unknown): Promise<{ ok: boolean; body: unknown }> => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${apiUrl}${path}`, init)
    return { ok: response.ok, body: await response.json() }
  }
}
