import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countForPlan } from '../../db/prediction/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('events and markets count by status, and new fills by the runs that saw them', async () => {
  await run(
    `insert into prediction_events (slug, venue, venue_event_id, title, url, status, mutually_exclusive, created_at,
       updated_at, source, fetched_at)
     select n::text, 'kalshi', n::text, '', '', 'open', false, now(), now(), 'test', now() from generate_series(1, 3) as n`,
  )
  // Two open markets of one event, one closed, one resolved, and one of another venue.
  await run(
    `insert into prediction_markets (slug, venue, venue_market_id, event_id, question, url, status, created_at, updated_at,
       source, fetched_at)
     select market.slug, market.venue, market.slug, event.id, '', '', market.status, now(), now(), 'test', now()
     from (values ('a', 'kalshi', '1', 'open'), ('b', 'kalshi', '1', 'open'), ('c', 'kalshi', '2', 'closed'),
       ('d', 'kalshi', '3', 'resolved'), ('e', 'polymarket', null, 'open')) as market (slug, venue, event, status)
     left join prediction_events as event on event.venue_event_id = market.event`,
  )
  // Fills of one run, of another, and of the day before.
  await run(
    `insert into prediction_trades (market_id, at, id, outcome, side, price, size, value_usd, source, fetched_at)
     select id, fill, gen_random_uuid(), 0, 'buy', 0.5, 1, 0.5, 'test', now()
     from prediction_markets, lateral (values (1), (2), (301), (90000)) as past (seconds),
       lateral (select to_timestamp(floor(extract(epoch from now()) / 300) * 300 - past.seconds) as fill) as at
     where slug = 'a'`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const counts = await countForPlan(db, { runSeconds: 300 })
  expect(counts.toSorted((a, b) => (a.venue < b.venue ? -1 : 1))).toEqual([
    { venue: 'kalshi', openEvents: 1, closedEvents: 1, openMarkets: 2, newFills: 2 },
    { venue: 'polymarket', openEvents: 0, closedEvents: 0, openMarkets: 1, newFills: 0 },
  ])
  await close()
})
