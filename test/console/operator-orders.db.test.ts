import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query, readResult } from '../setup/query.ts'

// What operators order, and what the console says before and after: of what they name, and of nothing else.

const database = await testDatabase()
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const resultOf = (call: string, values?: unknown[]) => readResult(database.ownerUrl, call, values)

test('an account that is closed or does not exist gets no plan and no key, and nothing is noted', async () => {
  const [closed] = await ask<{ id: string }>(
    `insert into accounts (name, plan) values ('closed', 'starter') returning id`,
  )
  for (const id of [closed!.id, randomUUID()]) {
    expect(await resultOf(`operator_change_plan($1, 'pro', 'ann')`, [id])).toBe(false)
    const key = `operator_create_key($1, $2, 'prefix', 'key', false, null, null, 'ann')`
    expect(await resultOf(key, [id, randomBytes(32)])).toBe(false)
    expect(await resultOf(`operator_revoke_key($1, 'prefix', 'ann')`, [id])).toBe(0)
  }
  expect(await resultOf(`operator_appoint('i', 'nobody', false, 'ann')`)).toBe(false)
  expect(await ask('select action from operator_actions')).toEqual([])
})

test('past prices of a resolution: listed coins that have a source, by rank, or those that are named', async () => {
  const coin = async (id: string, rank: number | null, isListed = true, isMapped = true) => {
    await ask(
      `insert into coins (id, symbol, name, slug, rank, delisted_at, last_seen_at, source, fetched_at)
       values ($1, $1, $1, $1, $2, case when not $3 then now() end, now(), 's', now())`,
      [id, rank, isListed],
    )
    if (isMapped) await ask(`insert into coin_mappings values ('s', $1, $1)`, [id])
  }
  await coin('unranked', null)
  await coin('third', 3)
  await coin('second', 2)
  await coin('delisted', 1, false)
  await coin('unmapped', 1, true, false)
  for (const [id, resolution] of [
    ['second', 'day'],
    ['second', 'hour'],
    ['third', 'hour'],
  ])
    await ask(
      `insert into price_histories (coin_id, resolution, from_at, to_at) values ($1, $2, now(), now())`,
      [id, resolution],
    )
  const states = (ids: string[] | null) =>
    ask(`select coin_id as id, from_at is not null as stored from backfill_states('day', $1)`, [ids])
  expect(await states(null)).toEqual([
    { id: 'second', stored: true },
    { id: 'third', stored: false },
    { id: 'unranked', stored: false },
  ])
  expect(await states(['unmapped', 'third', 'delisted'])).toEqual([
    { id: 'delisted', stored: false },
    { id: 'third', stored: false },
  ])
})

test('a portfolio says what it follows', async () => {
  const [account] = await ask<{ id: string }>(
    `insert into accounts (name, plan) values ('test', 'starter') returning id`,
  )
  const [exchange, other, wallet] = [randomUUID(), randomUUID(), randomUUID()]
  for (const [id, venue] of [
    [exchange, 'kraken'],
    [other, 'binance'],
  ]) {
    await ask(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, $3, $4, 1)`,
      [id, account!.id, venue, randomBytes(32)],
    )
    await ask(`insert into portfolios (id, account_id, kind) values ($1, $2, 'exchange')`, [id, account!.id])
  }
  await ask(
    `insert into portfolios (id, account_id, kind, address, network_id) values ($1, $2, 'wallet', 'a', 'ethereum')`,
    [wallet, account!.id],
  )
  const followed = (id: string) =>
    ask('select kind, address, network_id as network, venue from sync_subject($1)', [id])
  expect(await followed(exchange)).toEqual([
    { kind: 'exchange', address: null, network: null, venue: 'kraken' },
  ])
  expect(await followed(wallet)).toEqual([{ kind: 'wallet', address: 'a', network: 'ethereum', venue: null }])
  expect(await followed(randomUUID())).toEqual([])
})

test('of restores that were checked the last check counts, not the newest backup', async () => {
  for (const [backup, checked] of [
    ['2026-01-03', '2026-01-04'],
    ['2026-01-01', '2026-01-05'],
    ['2026-01-02', '2026-01-03'],
  ])
    await ask(
      `insert into restore_checks (backup_at, checked_at, operator, note) values ($1::text::timestamptz, $2, 'ann', $1)`,
      [backup, checked],
    )
  expect(await ask('select note from operations.backups')).toEqual([{ note: '2026-01-01' }])
})
