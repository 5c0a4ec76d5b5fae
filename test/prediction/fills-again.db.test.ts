import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sluiceHere } from '../cli/sluice-here.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { predictionOf } from './prediction-world.ts'

const MIGRATION = '../../db/prediction/migrations/20261130-1650-note-quarantined-fills.sql'
const database = await testDatabase()
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl })
const { deps, clock } = await startSandboxWorld(database)

/** The venue sends purchases under another name, which nobody has documented. */
let isStrange: boolean
let beforeAnswer: (() => Promise<unknown>) | null
const { activities, loadVenue } = predictionOf(
  {
    ...deps,
    http: {
      ...deps.http,
      fetchJson: async (request) => {
        if (!request.url.includes('/trades?')) return deps.http.fetchJson(request)
        const [work] = [beforeAnswer, (beforeAnswer = null)]
        await work?.()
        const sent = (rows: unknown) =>
          isStrange ? JSON.parse(JSON.stringify(rows).replaceAll('"BUY"', '"TAKE"')) : rows
        return deps.http.fetchJson({ ...request, schema: z.preprocess(sent, request.schema) })
      },
    },
  },
  clock,
)
const run = <T extends Record<string, unknown>>(sql: string) => query<T>(database.ownerUrl, sql)
const fills = () => run('select id, side, value_usd from prediction_trades order by market_id, at, id')
const volumes = () =>
  run(
    'select market_id, day, outcome, side, trades, volume_usd from prediction_trade_days order by 1, 2, 3, 4',
  )

const forget = () =>
  run('truncate prediction_trades, prediction_trade_days, prediction_trade_states, quarantine')

/** Few of the venue's markets, because others would only take time. */
let marketIds: number[]
/** Reads those whose volume shows that fills are unread. */
async function load(): Promise<void> {
  const due = await activities.listMarketsWithNewTrades({ venue: 'polymarket', limit: 1_000 })
  await activities.loadMarketTrades({ marketIds: due.filter((id) => marketIds.includes(id)) })
}

beforeAll(async () => {
  await loadVenue('polymarket')
  marketIds = await activities.listMarketsWithNewTrades({ venue: 'polymarket', limit: 3 })
})

beforeEach(async () => {
  await forget()
  ;[isStrange, beforeAnswer] = [true, null]
  await load()
  expect((await fills()).map(({ side }) => side)).not.toContain('buy')
  isStrange = false
})

/** What a venue that was never strange would have given. */
async function expectWhole(): Promise<void> {
  const found = [await fills(), await volumes()]
  await forget()
  await load()
  const whole = await fills()
  expect(whole.map(({ side }) => side)).toContain('buy')
  expect(found).toEqual([whole, await volumes()])
}

test('fills that were quarantined come after `sluice prediction read-again` and a run', async () => {
  await load()
  // Their markets have no new volume, so nobody asks for them.
  expect((await fills()).map(({ side }) => side)).not.toContain('buy')
  const { status, stdout } = await sluice('prediction', 'read-again', 'polymarket')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^the next run of polymarket reads the fills of 3 markets again/),
  ])
  await load()
  expect((await sluice('prediction', 'read-again', 'polymarket')).stdout).toContain(
    'no market of polymarket has',
  )
  await expectWhole()
})

test('a run that is under way keeps no market from being read again', async () => {
  await run(`update prediction_trade_states set volume_usd = 0`)
  beforeAnswer = () => sluice('prediction', 'read-again', 'polymarket')
  // It runs with the release that does not know the name.
  isStrange = true
  await load()
  expect(beforeAnswer).toBeNull()
  isStrange = false
  await load()
  await expectWhole()
})

test('markets with fills that were quarantined before the migration can be read again', async () => {
  await run('alter table prediction_trade_states drop column has_quarantined')
  await run(readFileSync(join(import.meta.dirname, MIGRATION), 'utf8'))
  await sluice('prediction', 'read-again', 'polymarket')
  await load()
  await expectWhole()
})

test('a venue that is none is an error', async () => {
  const { status, stderr } = await sluice('prediction', 'read-again', 'betfair')
  expect([status, stderr]).toEqual([2, expect.stringContaining('polymarket')])
})
