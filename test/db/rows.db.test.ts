import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address, insertWallet } from '../setup/wallet-factories.ts'

// Tables that state facts of the code: their files are applied again when the facts change.

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sluice-rows-'))
const DB = join(import.meta.dirname, '../../db')
cpSync(DB, folder, { recursive: true })
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await close()
})

const NETWORKS = 'chain/rows/1-networks.sql'
const PROTOCOLS = 'defi/rows/2-protocols.sql'
beforeEach(() => {
  for (const file of [NETWORKS, PROTOCOLS]) cpSync(join(DB, file), join(folder, file))
})

const ask = <Row extends object>(text: string) => query<Row>(database.ownerUrl, text)

/** Applies a file after its first row was copied with other values, and another text was replaced. */
async function migrateWith(
  file: string,
  { like, row, replace }: { like: string; row: object; replace?: readonly [string, string] },
): Promise<string[]> {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8').replace(...(replace ?? ['', '']))
  const line = text.split('\n').find((one) => one.startsWith(like))!
  const copy = { ...(JSON.parse(line.replace(/,$/, '')) as object), ...row }
  writeFileSync(path, text.replace(line, `${JSON.stringify(copy)},\n${line}`))
  const lines: string[] = []
  const log = (one: string) => lines.push(one)
  await migrate({ databaseUrl: database.ownerUrl, passwords: {}, log, folder: pathToFileURL(`${folder}/`) })
  return lines
}

test('a migration adds the networks that are new and changes the facts of the others, but not what the service noted of them', async () => {
  await ask(`update networks set active = id in ('ethereum', 'optimism-wallet')`)
  const before = await ask<{ id: string }>(`select * from networks order by id`)
  const added = { id: 'lab-wallet', blockchain: 'lab', chain_id: 990_001, coin_id: 'lab-coin', position: 99 }
  const lines = await migrateWith(NETWORKS, {
    like: '{"id":"optimism-wallet"',
    row: added,
    replace: ['"name":"Base"', '"name":"Base One"'],
  })
  expect(lines).toEqual(['rows/1-networks: Success'])
  const of = (id: string) => before.find((one) => one.id === id)!
  const expected = [
    ...before.map((one) => (one.id === 'base-wallet' ? { ...one, name: 'Base One' } : one)),
    { ...of('optimism-wallet'), ...added, chain_id: '990001', active: false },
  ]
  expect(await ask(`select * from networks order by id`)).toEqual(
    expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
})

test('the prices of a native coin are kept from the migration on that adds its network, once', async () => {
  expect(await ask(`select coin_id from past.coins_held where coin_id = 'lab-coin'`)).toHaveLength(1)
  const row = { id: 'lab-2-wallet', blockchain: 'lab-2', chain_id: 990_002, coin_id: 'lab-coin' }
  await migrateWith(NETWORKS, { like: '{"id":"optimism-wallet"', row })
  expect(await ask(`select coin_id from past.coins_held where coin_id = 'lab-coin'`)).toHaveLength(1)
})

test('a protocol that is new on a network marks the synced wallets there, so that they are read', async () => {
  const at = new Date('2026-03-01T00:00:00Z')
  const [synced] = await Promise.all([
    insertWallet(db, { address: address(1), syncs: { 'zora-wallet': at, ethereum: at } }),
    insertWallet(db, { address: address(2), syncs: { ethereum: at } }),
    insertWallet(db, { address: address(3), syncs: { 'zora-wallet': null } }),
  ])
  await ask('delete from defi_marks')
  await migrateWith(PROTOCOLS, {
    like: '{"network_id":"ethereum","protocol_id":"lido"}',
    row: { network_id: 'zora-wallet' },
  })
  expect(await ask('select wallet_id, network_id from defi_marks')).toEqual([
    { wallet_id: synced, network_id: 'zora-wallet' },
  ])
  await ask('delete from defi_marks')
  await migrateWith(PROTOCOLS, {
    like: '{"network_id":"ethereum","protocol_id":"lido"}',
    row: { network_id: 'zora-wallet' },
    replace: ['"url":"https://stake.lido.fi"', '"url":"https://lido.example"'],
  })
  expect(await ask(`select url from defi_protocols where id = 'lido'`)).toEqual([
    { url: 'https://lido.example' },
  ])
  expect(await ask('select from defi_marks')).toEqual([])
})
