import { beforeAll, expect, test } from 'vitest'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { testDatabase } from '../setup/database.ts'
import { HEAD, TRANSACTIONS } from './cold-stocks.ts'
import { BEFORE, coldWorld, movesAndRestores } from './cold-world.ts'

// As test/export/cold.db.test.ts, for transactions. test/export/cold.crash.test.ts does it with a million.

const OLD = 3_000
const { table } = TRANSACTIONS
const world = await coldWorld(await testDatabase(), TRANSACTIONS)
beforeAll(() => world.insert(OLD))

test('a kill after any step of moving and restoring transactions loses nothing, and exports have all rows', async () => {
  await movesAndRestores(world, { old: OLD, exportsAfter: (step) => step === 'noted' })
}, 1_800_000)

test('transactions move only below the final block and what is derived of every wallet, in the form of this release', async () => {
  const { pool } = world
  const months = () => movableMonths(pool, { table, before: BEFORE })
  const all = await months()
  expect(all).toHaveLength(12)
  const set = (what: string) => world.rows(`update wallet_syncs set ${what}`)
  const block = 10 + Math.floor((OLD * 20) / 364)
  // Blocks of 20 days are below a reorg of Ethereum, and none below the deeper one of Base.
  await set(`head_block = ${block} + (select reorg_depth from networks where id = 'ethereum')`)
  expect(await months()).toEqual(['2025-01'])
  await set(`head_block = ${HEAD}`)
  await world.rows(
    `update wallet_syncs set normalised_block = ${block} where wallet_id = (select min(id) from wallets)`,
  )
  expect(await months()).toEqual(['2025-01'])
  await set(`normalised_block = ${HEAD}`)
  await set('normalised_version = normalised_version - 1')
  expect(await months()).toEqual([])
  await set('normalised_version = normalised_version + 1')
  // Followed: no sync moves the mark of a wallet that is whole, and a touched one waits to be derived.
  await world.rows(
    `insert into network_follows (network_id, mode, cursor_block, confirmed_block)
     select id, 'blocks', ${HEAD}, ${HEAD} from networks where id in ('ethereum', 'base-wallet')`,
  )
  await set('synced_at = now(), covered_from = 5, normalised_block = 4')
  expect(await months()).toEqual(all)
  await world.rows(
    `insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason)
     select network_id, id, ${block}, ${HEAD}, 'block' from wallets, unnest('{ethereum,base-wallet}'::text[]) as network_id`,
  )
  expect(await months()).toEqual(['2025-01'])
  await world.rows('delete from touched_wallets')
  await world.rows('delete from network_follows')
  await set(`synced_at = null, covered_from = null, normalised_block = ${HEAD}`)
  await world.rows(`update wallet_syncs set normalised_block = 10 where network_id = 'solana'`)
  expect(await months()).toEqual(all)
})

test('a transaction that changes while its month moves keeps the month where it is', async () => {
  const whole = await world.digest()
  const change = (sign: string) =>
    world.rows(`update transactions set fee = fee ${sign} 1 where block_number = 1000`)
  const { pool, target } = world
  const [month] = await world.rows<{ of: string }>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM') as of from transactions where block_number = 1000`,
  )
  const tell = async (step: string) => {
    if (step === 'written') await change('+')
  }
  await expect(moveMonth({ pool, target, table, tell }, month!.of)).rejects.toThrow(
    'Nothing was moved: try again',
  )
  expect(await readColdFiles(pool)).toEqual([])
  await change('-')
  expect(await world.digest()).toEqual(whole)
})
