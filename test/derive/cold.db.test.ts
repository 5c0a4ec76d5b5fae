import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { coldReader } from '../../activities/chain/read-cold.ts'
import { COLD_TABLES } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { chainRows } from '../follow/follow-directly.ts'
import { createDeriveWorld, other, pay, wallet } from './derive-world.ts'

const { pool, owner, query, marks, begin, derive, close } = await createDeriveWorld()
const home = await mkdtemp(join(tmpdir(), 'sluice-cold-'))
afterAll(async () => {
  await close()
  await rm(home, { recursive: true, force: true })
})

test('a followed wallet whose transactions have moved waits for their files, and the others are derived', async () => {
  const world = await begin()
  const follower = await world.followed(wallet, other)
  for (let i = 1; i <= 5; i++) world.chain.mine(pay(wallet, BigInt(i)))
  for (let i = 0; i < 30; i++) world.chain.mine()
  await follower.catchUp()
  await derive()
  const derived = async () => {
    const { wallet_transactions, movements, balances } = await chainRows(pool)
    return { wallet_transactions, movements, balances }
  }
  const before = await derived()

  const target = folderTarget(join(home, 'export'))
  const table = COLD_TABLES.find(({ dataset }) => dataset.name === 'transactions')!
  const months = await movableMonths(owner.pool, { table, before: new Date('2100-01-01Z') })
  let moved = 0
  for (const month of months)
    moved += (await moveMonth({ pool: owner.pool, table, target }, month))?.rows ?? 0
  expect(moved).toBe(5)
  expect(await query('select count(*)::int from transactions')).toEqual([0])

  await pool.query(`select derive_again('ethereum', array_agg(id), array_agg(0::bigint)) from wallets`)
  world.chain.mine(pay(other))
  await follower.catchUp()
  await derive()
  expect(await marks()).toEqual([wallet])
  expect(await query('select attempts from touched_wallets')).toEqual([1])
  expect((await derived()).movements).toEqual(expect.arrayContaining(before.movements!))

  await pool.query('update touched_wallets set next_at = now()')
  await derive({ readCold: coldReader(target) })
  expect(await marks()).toEqual([])
  const after = await derived()
  expect(after.wallet_transactions).toHaveLength(6)
  expect(await world.polledRows(wallet, other)).toMatchObject(after)
  await world.stop()
})
