import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import type { Db } from '../../db/schema.ts'
import { startApi } from '../setup/api.ts'
import { databaseOn } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertBalance, insertWallet } from '../setup/wallet-factories.ts'
import { baseBackup, startPrimary, startStandby } from './clusters.ts'

const BEFORE = new Date('2026-03-10T10:00:00.000Z')
const AFTER = new Date('2026-03-10T11:00:00.000Z')
const [known, fresh] = [address(1), address(2)]

const { server, database } = await startPrimary({ wal_keep_size: '1GB' })
const replica = await startReplica()
const api = await startApi({ database, routes, replicaUrl: databaseOn(replica, 'sluice').apiUrl })
const { owner, newAccount } = api
const { key, accountId } = await newAccount({ credits: 10_000 })

/** Starts a replica on a copy of the primary, with a delay of a minute. */
async function startReplica() {
  const seeding = await startApi({ database, routes })
  await activateNetworks(seeding.owner, ['ethereum'])
  // Its price is newer than any sync, so the age of an answer is that of the balance.
  await insertCoin(seeding.owner, { id: 'ethereum', symbol: 'eth', priceUsd: '2000', at: AFTER })
  await insertHolding(seeding.owner, { wallet: known, syncedAt: BEFORE, raw: '1000000000000000000' })
  const copy = await baseBackup(server)
  return startStandby(copy, {
    primary_conninfo: `host=127.0.0.1 port=${server.port} user=sluice password=${server.ownerPassword}`,
    recovery_min_apply_delay: '60s',
  })
}

async function insertHolding(
  db: Db,
  { wallet, syncedAt, raw }: { wallet: string; syncedAt: Date; raw: string },
): Promise<void> {
  const walletId = await insertWallet(db, { address: wallet, syncs: { ethereum: syncedAt } })
  await insertBalance(db, { walletId, at: syncedAt, networkId: 'ethereum', coinId: 'ethereum', raw })
}

const ofWallet = (wallet: string) => `address=${wallet}&connectionId=ethereum`

async function balance(wallet: string) {
  const answer = await api.get(`/wallet/balance?${ofWallet(wallet)}`, key)
  const body = (await answer.json()) as any
  return { status: answer.status, amount: body[0]?.amount, asOf: answer.headers.get('x-data-as-of') }
}

const available = async () => {
  const answer = await api.get('/usage/credits', key)
  return Number(answer.headers.get('x-credits-remaining'))
}

test('A5 the balance of a newly synced wallet comes from the replica, with the age of its data', async () => {
  await query(database.ownerUrl, `update wallet_syncs set synced_at = $1`, [AFTER])
  await query(database.ownerUrl, `update balances set raw = raw * 2`)
  expect(await balance(known)).toEqual({ status: 200, amount: 1, asOf: BEFORE.toISOString() })
})

test('A5 the status of a sync is current', async () => {
  const status = async () => {
    const answer = await api.get(`/wallet/status?${ofWallet(known)}`, key)
    return { ...((await answer.json()) as object), asOf: answer.headers.get('x-data-as-of') }
  }
  expect(await status()).toEqual({
    status: 'synced',
    lastSyncedAt: AFTER.toISOString(),
    asOf: AFTER.toISOString(),
  })
  const asked = await api.get(`/wallet/transactions?${ofWallet(known)}`, key, { method: 'PATCH' })
  expect(await asked.json()).toEqual({ status: 'syncing' })
  expect(await status()).toMatchObject({ status: 'syncing' })
})

test('A5 data that the replica does not have yet comes from the primary', async () => {
  expect(await balance(fresh)).toMatchObject({ status: 503 })
  await insertHolding(owner, { wallet: fresh, syncedAt: AFTER, raw: '3000000000000000000' })
  expect(await balance(fresh)).toEqual({ status: 200, amount: 3, asOf: AFTER.toISOString() })
  expect((await api.get('/coins/young', key)).status).toBe(404)
  await insertCoin(owner, { id: 'young', symbol: 'yng', priceUsd: '1', at: AFTER })
  expect((await api.get('/coins/young', key)).status).toBe(200)
})

test('A5 keys and credits are current', async () => {
  const other = await newAccount({ credits: 45 })
  const ask = () => api.get(`/wallet/balance?${ofWallet(known)}`, other.key)
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  const before = await available()
  expect((await balance(known)).status).toBe(200)
  expect(await available()).toBe(before - 40)
})

test('A5 an account sees its own changes at once', async () => {
  const made = await api.get('/portfolio/wallet', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Mine', address: known, connectionId: 'ethereum' }),
  })
  expect(made.status).toBe(200)
  const { result } = (await (await api.get('/portfolio/list', key)).json()) as any
  expect(result).toHaveLength(1)
  const [ledger] = await query<{ spent: string }>(
    database.ownerUrl,
    'select sum(credits) as spent from ledger_entries where account_id = $1',
    [accountId],
  )
  expect(await available()).toBe(10_000 - Number(ledger!.spent))
})

test('without the replica the primary answers', async () => {
  await replica.stop()
  expect(await balance(known)).toEqual({ status: 200, amount: 2, asOf: AFTER.toISOString() })
})
