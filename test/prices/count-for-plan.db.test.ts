import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countForPlan } from '../../db/prices/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('listed coins count, and those that still lack a description or a past', async () => {
  await run(
    `insert into coins (id, symbol, name, slug, website_url, categories, explorers, delisted_at, last_seen_at, source, fetched_at)
     select id, id, id, id, website, categories::text[], explorers::text[], delisted, now(), 'test', now()
     from (values ('bare', null, '{}', '{}', null), ('site', 'https://site.example', '{}', '{}', null),
       ('kind', null, '{defi}', '{}', null), ('explorer', null, '{}', '{https://one.example}', null),
       ('unknown', null, '{}', '{}', null), ('gone', null, '{}', '{}', now()))
       as coin (id, website, categories, explorers, delisted)`,
  )
  await run(
    `insert into coin_mappings (source, upstream_id, coin_id)
     values ('describer', '1', 'bare'), ('describer', '2', 'site'), ('describer', '3', 'kind'), ('describer', '4', 'explorer'),
       ('describer', '5', 'gone'), ('other', '6', 'unknown')`,
  )
  await run(
    `insert into price_histories (coin_id, resolution, from_at, to_at)
     values ('bare', 'hour', now(), now()), ('site', 'day', now(), now())`,
  )
  await run(
    `insert into coin_contracts (blockchain, address, coin_id, source, fetched_at)
     values ('ethereum', '0x1', 'bare', 'pricer', now()), ('ethereum', '0x2', 'bare', 'other', now())`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  expect(await countForPlan(db, { describer: 'describer', pricer: 'pricer' })).toEqual({
    coins: 5,
    'tokens priced by contract': 1,
    'coins without a description': 1,
    'coins without a past': 4,
  })
  await close()
})
