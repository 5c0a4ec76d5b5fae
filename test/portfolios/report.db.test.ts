import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getPortfolioReport } from '../../api/portfolios/get-report.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { runCommand } from '../cli/run-command.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// Two purchases of bitcoin, a reward, a sale of one and a half, and a transfer of the rest to a manual portfolio.
// Bitcoin is worth 50,000 on March 1st and a thousand more each day.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const stranger = await api.newAccount()
vi.stubEnv('DATABASE_URL', database.ownerUrl)
const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)
const report = endpoint(api, { route: getPortfolioReport, key })
const ids = { exchange: '', manual: '' }

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [
      [at('01T00:00:00'), '0.9'],
      [at('05T00:00:00'), '0.8'],
    ],
  })
  ids.exchange = await world.exchangePortfolio(accountId, [
    ['deposit', at('01T06:00:00'), 'USDT', 200_000],
    ['fill', at('02T06:00:00'), 'BTC', 1, ['USDT', -51_000]],
    ['fill', at('03T06:00:00'), 'BTC', 1, ['USDT', -52_000]],
    ['reward', at('04T06:00:00'), 'BTC', 0.5],
    ['fill', at('05T06:00:00'), 'BTC', -1.5, ['USDT', 81_000]],
    ['withdrawal', at('06T06:00:00'), 'BTC', -0.5],
  ])
  ids.manual = await world.manualPortfolio(accountId, [
    { at: at('06T07:00:00'), coinId: 'bitcoin', count: 0.5, priceUsd: null },
  ])
  await run(`update portfolios set cost_method = 'fifo' where account_id = $1`, [accountId])
  await run(`update accounts set cost_method = 'fifo' where id = $1`, [accountId])
  await run('select mark_account_dirty($1)', [accountId])
  await world.settle(accountId)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await ingest.close()
})

/** Disposals of bitcoin as [acquired on, disposed on, reason, quantity, proceeds, cost, gain]. */
const bitcoin = (body: any) =>
  body.disposals
    .filter(({ coinId }: any) => coinId === 'bitcoin')
    .map((one: any) => [
      one.acquiredAt.slice(0, 10),
      one.disposedAt.slice(0, 10),
      one.reason,
      one.quantity,
      one.proceeds,
      one.cost,
      one.gain,
    ])
const SALE = [
  ['2026-03-02', '2026-03-05', 'trade', '1', '54000', '51000', '3000'],
  ['2026-03-03', '2026-03-05', 'trade', '0.5', '27000', '26000', '1000'],
]

test('one portfolio: a row for each lot, both transactions, and its transfer as a disposal that is marked', async () => {
  const { body, credits } = await report(`/portfolio/report?year=2026&country=us&portfolioId=${ids.exchange}`)
  expect(credits).toBe(25)
  expect(bitcoin(body)).toEqual([
    ...SALE,
    ['2026-03-03', '2026-03-06', 'send', '0.5', '27500', '26000', '1500'],
  ])
  expect(body.totals.all.gain).toBe('5500')
  expect(body.totals.short).toEqual(body.totals.all)
  const sold = body.disposals.filter(({ coinId }: any) => coinId === 'bitcoin')
  expect(sold.map((one: any) => one.isOwnTransfer)).toEqual([false, false, true])
  for (const { acquired, disposed } of sold) {
    expect(acquired).toMatchObject({ portfolioId: ids.exchange })
    expect(disposed).toMatchObject({ portfolioId: ids.exchange })
    expect(acquired.id).not.toBe(disposed.id)
  }
  expect(body.income).toMatchObject([{ coinId: 'bitcoin', role: 'reward', quantity: '0.5', worth: '26500' }])
  expect(body.incomeTotal).toBe('26500')
  expect(body.warnings.join()).toContain('1 disposal is a transfer to other portfolios')
})

test('all portfolios combined: their transfer is no disposal', async () => {
  const { body } = await report('/portfolio/report?year=2026&country=us')
  expect(bitcoin(body)).toEqual(SALE)
  expect(body.totals.all.gain).toBe('4000')
  expect(body.warnings.join()).not.toContain('to other portfolios')
})

test('euros: proceeds at the rate of the sale, cost at that of the purchase', async () => {
  const { body } = await report('/portfolio/report?year=2026&country=de&currency=EUR')
  expect(bitcoin(body).map((row: string[]) => row.slice(4))).toEqual([
    ['43200', '45900', '-2700'],
    ['21600', '23400', '-1800'],
  ])
})

test('Accept: text/csv gets the same rows as CSV for the same price, and errors stay JSON', async () => {
  const path = `/portfolio/report?year=2026&portfolioId=${ids.exchange}`
  const ask = (accept: string, by = key) => api.get(path, by, { headers: { accept } })
  const { body } = await report(path)
  for (const accept of ['text/csv', 'application/pdf, text/csv;q=0.9']) {
    const answer = await ask(accept)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect([answer.headers.get('x-credits-cost'), answer.headers.get('vary')]).toEqual(['25', 'accept'])
    const lines = (await answer.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + body.disposals.length + body.income.length)
    expect(lines.filter((line) => line.includes(',54000,51000,3000,0,'))).toHaveLength(1)
  }
  for (const accept of ['*/*', 'application/json', 'text/csv, application/json', 'text/csvx']) {
    const answer = await ask(accept)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual(body)
  }
  const refused = await ask('text/csv', 'sk_wrong')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    401,
    'application/json; charset=utf-8',
  ])
})

test('a lot of income that was sold says what it was worth, which the gains have again', async () => {
  const asked = `/portfolio/report?year=2026&portfolioId=${ids.exchange}`
  expect((await report(asked)).body.incomeInGains).toBe('0')
  const by = async (method: string) => {
    await run('update portfolios set cost_method = $2 where id = $1', [ids.exchange, method])
    await run('select mark_account_dirty($1)', [accountId])
    await world.settle(accountId)
    await world.compute({ connectionId: ids.exchange })
  }
  // The sale of one and a half takes the reward first.
  await by('lifo')
  const { body } = await report(asked)
  const [reward] = body.disposals.filter(({ coinId }: any) => coinId === 'bitcoin')
  expect(reward).toMatchObject({ quantity: '0.5', cost: '0', gain: '27000', incomeWorth: '26500' })
  expect(body.incomeInGains).toBe('26500')
  expect(body.warnings.join()).toContain('The gains have 26500 USD of income again')
  const csv = (await sluice('--portfolio', ids.exchange, '--year', '2026', '--csv')).split('\r\n')
  expect(csv.filter((line) => line.includes(',27000,0,27000,0,26500,'))).toHaveLength(1)
  await by('fifo')
})

test('another year is empty', async () => {
  const { body } = await report('/portfolio/report?year=2025')
  expect(body).toMatchObject({ disposals: [], income: [], incomeTotal: '0', warnings: [] })
  expect(body.totals.all).toEqual({ disposals: 0, proceeds: '0', cost: '0', gain: '0' })
})

test('refusals', async () => {
  const ask = async (path: string, by = key) => refusal(await api.get(`/portfolio/report?${path}`, by))
  expect(await ask('year=2026', 'sk_wrong')).toEqual([401, 'Invalid API key'])
  expect(await ask('')).toEqual([400, 'Invalid parameter: year'])
  expect(await ask('year=1999')).toEqual([400, 'Invalid parameter: year'])
  expect(await ask('year=2026&country=uk')).toEqual([400, 'Invalid parameter: country'])
  expect(await ask('year=2026&currency=XYZ')).toEqual([400, 'Invalid parameter: currency'])
  expect((await ask(`year=2026&portfolioId=${ids.exchange}`, stranger.key))[0]).toBe(404)
})

test('average has no dates, so its lots are neither short nor long, and another currency is refused', async () => {
  const id = await world.manualPortfolio(stranger.accountId, [
    { at: at('02T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 100 },
    { at: at('03T06:00:00'), coinId: 'bitcoin', count: -1, priceUsd: 150 },
  ])
  const ask = endpoint(api, { route: getPortfolioReport, key: stranger.key })
  const { body } = await ask(`/portfolio/report?year=2026&country=us&portfolioId=${id}`)
  expect(body.totals.unknown).toEqual({ disposals: 1, proceeds: '150', cost: '100', gain: '50' })
  expect(body.warnings.join()).toContain('United States knows fifo, hifo, lifo')
  const euros = await api.get(`/portfolio/report?year=2026&currency=EUR&portfolioId=${id}`, stranger.key)
  expect(await refusal(euros)).toEqual([400, 'Invalid parameter: currency'])
})

async function sluice(...args: string[]): Promise<string> {
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)))
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    await runCommand('report', 'tax', ...args)
    return printed.join('\n')
  } finally {
    vi.restoreAllMocks()
  }
}

test('sluice report tax prints the same as totals, JSON and CSV, of a portfolio or an account', async () => {
  const year = ['--year', '2026', '--country', 'us']
  const one = JSON.parse(await sluice('--portfolio', ids.exchange, ...year, '--json'))
  expect(one.totals.all.gain).toBe('5500')
  const csv = (await sluice('--portfolio', ids.exchange, ...year, '--csv')).trimEnd().split('\r\n')
  expect(csv).toHaveLength(1 + one.disposals.length + one.income.length)
  const gains = csv.slice(1).map((line) => Number(line.split(',')[9]))
  expect(gains.reduce((sum, gain) => sum + gain, 0)).toBe(5_500)
  const text = await sluice('--account', accountId, ...year)
  expect(text).toMatch(/short +\d+ .* 4000 USD/)
  expect(text).toContain('Note: ')
  expect(text).toContain('/account/report?year=2026&country=us&currency=USD ')
  const refused = sluice('--portfolio', ids.exchange, '--year', '2026', '--country', 'uk')
  await expect(refused).rejects.toThrow('pooled')
  await expect(sluice('--year', '2026')).rejects.toThrow('--portfolio or --account')
})

test('409 and no report while the lots of an upgraded installation are being computed', async () => {
  await run('update folds set revision = revision + 1, days_revision = revision + 1')
  const answer = await api.get(`/portfolio/report?year=2026&portfolioId=${ids.exchange}`, key)
  expect(await refusal(answer)).toEqual([409, 'Transactions not synced'])
  await expect(sluice('--portfolio', ids.exchange, '--year', '2026')).rejects.toThrow('being computed')
  await world.settle(accountId)
  await world.compute({ connectionId: ids.exchange })
  expect((await report(`/portfolio/report?year=2026&portfolioId=${ids.exchange}`)).body.totals.all.gain).toBe(
    '5500',
  )
})
