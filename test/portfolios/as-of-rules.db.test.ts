import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldChanges } from '../../activities/pnl/fold-scope.ts'
import { setDegen } from '../../db/metering/write.ts'
import { forgetReplaced } from '../../db/portfolios/forget-replaced.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { asOfWorld } from './as-of-world.ts'

// Which instants `asOf` accepts, who may read the answers, and which replaced rows are kept for them.

const database = await testDatabase()
const world = await asOfWorld(database)
const { owner, reader, ingest } = world
afterAll(() => ingest.close())

const COINS = '/portfolio/coins?limit=100'
const moment = async (): Promise<Date> => {
  await sleep(2)
  const at = new Date()
  await sleep(2)
  return at
}
const asOf = (at: Date) => `asOf=${at.toISOString()}`
const ask = async (path: string, key = owner.key): Promise<[number, string]> => {
  const { status, text } = await world.ask(path, key)
  return [status, text]
}
const buy = (coin: string, usd: number) => world.apply({ kind: 'state', coin, hoursAgo: 50, count: 2, usd })
/** Number of replaced rows per table. */
async function kept(): Promise<Record<string, number>> {
  const tables = ['coin_folds', 'coin_moves', 'coin_quotes', 'coins', 'price_days', 'folds', 'portfolios']
  const counts = tables.map((table) => `(select count(*) from past.${table})::integer as ${table}`)
  const [row] = await world.run<Record<string, number>>(`select ${counts.join(', ')}`)
  return row!
}

beforeAll(async () => {
  await world.apply({ kind: 'move', coin: 'ethereum', hoursAgo: 5, count: 4 })
  await buy('ethereum', 120)
})

describe('the instant', () => {
  const paths = ['/portfolio/coins?', '/portfolio/value?', '/portfolio/snapshot/items?']
  test.each(paths)('returns 400 when it lies in the future or before the kept data: %s', async (path) => {
    const { used } = await usage()
    for (const text of [
      new Date(Date.now() + 60_000).toISOString(),
      '2999-01-01',
      '2020-01-01',
      '0001-01-01',
    ])
      expect(await ask(`${path}asOf=${text}`)).toEqual([
        400,
        expect.stringMatching(/^Invalid parameter: asOf\. It /),
      ])
    expect(await usage()).toEqual({ used })
  })
  async function usage(): Promise<{ used: number }> {
    const { text } = await world.ask('/usage/credits', owner.key)
    return { used: (JSON.parse(text) as { usedCredits: number }).usedCredits }
  }

  test('of now returns the current answer', async () => {
    const at = new Date()
    const { status, text } = await world.ask(`${COINS}&${asOf(at)}`, owner.key)
    expect([status, JSON.parse(text).result.length]).toEqual([200, 2])
  })

  test('before the first portfolio of an account returns the empty answer of that time', async () => {
    const newcomer = await world.api.newAccount({ plan: 'pro' })
    const at = await moment()
    const then = await ask(COINS, newcomer.key)
    await world.world.manualPortfolio(newcomer.accountId, [
      { at: world.before(30), coinId: 'bitcoin', count: 1, priceUsd: 5 },
    ])
    expect(then).toEqual([200, '{"result":[]}'])
    expect(await ask(`${COINS}&${asOf(at)}`, newcomer.key)).toEqual(then)
    expect(await ask(COINS, newcomer.key)).not.toEqual(then)
  })
})

describe('access', () => {
  test('returns 404 for a portfolio that did not exist yet', async () => {
    const at = await moment()
    await world.apply({ kind: 'join', coin: 'tether', usd: 3 })
    const path = `/portfolio/value?portfolioId=${world.joined.at(-1)}`
    expect((await ask(path))[0]).toBe(200)
    expect(await ask(`${path}&${asOf(at)}`)).toEqual([
      404,
      `Portfolio with id '${world.joined.at(-1)}' not found`,
    ])
  })

  test('returns 404 for a removed portfolio at any instant, but keeps the combined answers', async () => {
    const [portfolioId] = world.joined
    await world.apply({ kind: 'snapshot' })
    const { at, answers } = await world.record()
    const together = answers.filter(({ path, key }) => key === owner.key && !path.includes('portfolioId'))
    const own = `/portfolio/coins?portfolioId=${portfolioId}`
    expect((await ask(own))[0]).toBe(200)
    await world.apply({ kind: 'leave', pick: 0 })
    expect(await ask(`${own}&${asOf(at)}`)).toEqual([404, `Portfolio with id '${portfolioId}' not found`])
    expect(together.length).toBeGreaterThan(2)
    for (const answer of together) {
      expect(await world.again(at, answer)).toEqual(answer)
      expect(await world.ask(answer.path, answer.key)).not.toEqual(answer)
    }
  })

  test('hides a portfolio from other accounts, and from shares once they are revoked or their owner has no Degen', async () => {
    const at = await moment()
    const path = `/portfolio/coins?portfolioId=${world.manual}&${asOf(at)}`
    expect(await ask(path, reader.key)).toEqual([404, `Portfolio with id '${world.manual}' not found`])
    const shared = `/portfolio/coins?${world.shared}&${asOf(at)}`
    expect((await ask(shared, reader.key))[0]).toBe(200)
    expect(await ask(shared, reader.key)).toEqual(await ask(path))
    await setDegen(world.api.owner, { accountId: owner.accountId, degen: false })
    expect((await ask(shared, reader.key))[0]).toBe(403)
    await setDegen(world.api.owner, { accountId: owner.accountId, degen: true })
    await world.run('update portfolio_shares set revoked_at = now()')
    expect(await ask(shared, reader.key)).toEqual([404, 'Shared portfolio not found'])
    await world.run('update portfolio_shares set revoked_at = null')
  })
})

describe('kept rows', () => {
  test('hide what a transaction had not committed at the instant', async () => {
    const client = await ingest.pool.connect()
    const rename = (symbol: string) =>
      client.query(`update coins set symbol = $1 where id = 'bitcoin'`, [symbol])
    try {
      await client.query('begin')
      await rename('under-way')
      // Another transaction begins later and ends earlier.
      await world.apply({ kind: 'quote', coin: 'ethereum', usd: 777 })
      const during = await world.record()
      await client.query('commit')
      const after = await world.record()
      const coins = during.answers.find(({ path }) => path.startsWith('/portfolio/coins'))!
      expect(coins.text).toContain('"volume":5439')
      expect(coins.text).not.toContain('UNDER-WAY')
      for (const { at, answers } of [during, after])
        for (const answer of answers) expect(await world.again(at, answer)).toEqual(answer)
      expect(after.answers.find(({ path }) => path === coins.path)!.text).toContain('UNDER-WAY')
    } finally {
      client.release()
    }
  })

  test('do not grow when a complete fold gives the same rows', async () => {
    const before = await kept()
    const versions = () =>
      world.run(`select fold_id, coin_id, month, recorded_at, xmin::text from coin_folds order by 1, 2, 3`)
    const rows = await versions()
    await world.run(`update folds set dirty_from = 'epoch'`)
    await foldChanges({ ...ingest, change: owner, nowMs: Date.now() })
    // Folds of the account, the wallet and the manual portfolio, by two methods.
    const folded = await world.run('select id from folds where dirty_from is null')
    expect(folded.length).toBeGreaterThanOrEqual(4)
    expect(await kept()).toMatchObject({ coin_folds: before['coin_folds'], coin_moves: before['coin_moves'] })
    expect(await versions()).toEqual(rows)
    expect(rows.length).toBeGreaterThan(3)
  })

  test('do not grow with coins that nobody ever held or with unchanged quotes', async () => {
    const before = await kept()
    await world.apply({ kind: 'rename', coin: 'late-coin', usd: 1 })
    await world.apply({ kind: 'quote', coin: 'late-coin', usd: 1 })
    await world.apply({ kind: 'quote', coin: 'late-coin', usd: 2 })
    await world.run('update coin_quotes set stale = not stale')
    expect(await kept()).toEqual(before)
    await world.apply({ kind: 'quote', coin: 'ethereum', usd: 3 })
    expect((await kept())['coin_quotes']).toBe(before['coin_quotes']! + 1)
  })

  test('are deleted after the retention time, while newer ones stay', async () => {
    const old = await moment()
    await buy('bitcoin', 77)
    const { at, answers } = await world.record()
    await buy('bitcoin', 99)
    await forgetReplaced(ingest.db, at)
    for (const table of Object.keys(await kept()))
      expect(await world.run(`select 1 as one from past.${table} where replaced_at < $1`, [at])).toEqual([])
    expect(await ask(`${COINS}&${asOf(old)}`)).toEqual([
      400,
      'Invalid parameter: asOf. It is before the instant from which replaced data is kept',
    ])
    for (const answer of answers) expect(await world.again(at, answer)).toEqual(answer)
    // An earlier limit does not bring deleted rows back.
    await forgetReplaced(ingest.db, new Date(at.getTime() - DAY_MS))
    expect(await ask(`${COINS}&${asOf(old)}`)).toEqual([
      400,
      'Invalid parameter: asOf. It is before the instant from which replaced data is kept',
    ])
  })
})
