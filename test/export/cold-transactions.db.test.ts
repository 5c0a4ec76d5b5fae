import { beforeAll, expect, test } from 'vitest'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { holdingBack } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { testDatabase } from '../setup/database.ts'
import { HEAD, TRANSACTIONS } from './cold-stocks.ts'
import { BEFORE, coldWorld, movesAndRestores } from './cold-world.ts'

// As test/export/cold.db.test.ts, for transactions. test/export/cold.crash.test.ts does it with a million.

const OLD = 3_000
const { table } = TRANSACTIONS
const database = await testDatabase()
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl })
const world = await coldWorld(database, TRANSACTIONS)
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

test('the wallet that keeps transactions where they are is named, of each network', async () => {
  const { pool } = world
  const mark = (block: number, network: string) =>
    world.rows(
      `update wallet_syncs set normalised_block = ${block}
       where network_id = '${network}' and wallet_id = (select id from wallets where address = 'two')`,
    )
  const solana = { network: 'solana', address: '0xone', derivedTo: 10, months: 1 }
  expect(await holdingBack(pool, BEFORE)).toEqual([solana])
  const block = 10 + Math.floor((OLD * 20) / 364)
  await mark(block, 'ethereum')
  expect(await holdingBack(pool, BEFORE)).toEqual([
    { network: 'ethereum', address: 'two', derivedTo: block, months: 12 },
    solana,
  ])
  // Months that are too young to move are none that stay.
  expect(await holdingBack(pool, new Date('2025-03-31'))).toMatchObject([{ months: 2 }])
  const { stdout, stderr } = await sluice('cold', 'move', '--to', world.folder, '--older-than', '99999')
  expect([stdout, stderr]).toEqual(['none\n', ''])
  await mark(HEAD, 'ethereum')
  await world.rows('update wallet_syncs set normalised_version = normalised_version - 1')
  const networks = (await holdingBack(pool, BEFORE)).map(({ network, derivedTo }) => [network, derivedTo])
  expect(networks.length).toBeGreaterThan(1)
  expect(new Set(networks.map(([, derivedTo]) => derivedTo))).toEqual(new Set([-1]))
  expect((await sluice('cold', 'move', '--to', world.folder, '--older-than', '38')).stderr).toContain(
    'sluice: transactions of 13 months on ethereum stay: the wallet 0xone is not derived by this release yet',
  )
  await world.rows('update wallet_syncs set normalised_version = normalised_version + 1')
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
