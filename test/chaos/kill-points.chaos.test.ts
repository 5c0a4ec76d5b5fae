import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programOnPath } from '../../cli/find-program.ts'
import { installSystemPackage } from '../../cli/install-system-package.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { runKillable } from '../crash/killable-process.ts'
import { WALLET_TABLES, walletTables } from '../crash/wallet-tables.ts'
import { type Chains, fillChains, startChains } from '../sandbox/chains.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// A process that syncs wallets is killed at random statements (by seed), and the next one continues: hundreds
// of kills in the time that a whole installation needs for six (npm run test:crash).

const SEED = Number(process.env['CRASH_SEED'] ?? 11)
const KILLS = 200
const NETWORK = 'ethereum'
const PROCESS = join(import.meta.dirname, 'sync-process.ts')
const addresses = wallets.slice(0, 6).map(({ address }) => address)
const log = (line: string) => console.log(`chaos: ${line}`)
const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-points-'))
let postgres: Awaited<ReturnType<typeof startTemporaryPostgres>>
let chains: Chains
let url: string
let oracleUrl: string
/** Number of statements of an undisturbed run. */
let statements: number

beforeAll(async () => {
  postgres = await startTemporaryPostgres()
  const urlOf = (database: string) => ownerUrl({ ...postgres, database })
  await query(urlOf('postgres'), 'create database sluice')
  await migrate({ databaseUrl: urlOf('sluice'), passwords: ROLE_PASSWORDS, log: () => {} })
  await query(urlOf('postgres'), 'create database oracle template sluice')
  ;[url, oracleUrl] = [urlOf('sluice'), urlOf('oracle')]
  chains = await startChains(folder)
  await fillChains(chains, { SANDBOX_SCALE: '0.2', SANDBOX_SEED: '5' })
  statements = Number((await sync({ databaseUrl: oracleUrl })).output)
  log(`an undisturbed run of ${addresses.length} wallets takes ${statements} statements`)
})

afterAll(async () => {
  await chains?.stop()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function sync(
  plan: { databaseUrl: string; addresses?: string[]; dieAt?: number; moment?: 'before' | 'after' },
  command: readonly string[] = [],
) {
  const rpcUrl = chains.rpcs[NETWORK].url
  const input = { networkId: NETWORK, rpcUrl, addresses, dieAt: 0, moment: 'before', ...plan }
  return runKillable({ file: PROCESS, plan: input, command })
}

const empty = () => query(url, `truncate ${WALLET_TABLES.join(', ')} cascade`)

interface Stored {
  block: number
  wallets: string[]
  row: string
}

/** The stored transfers, each with its wallets. */
async function transfersOf(databaseUrl: string): Promise<Stored[]> {
  return query<Stored & Record<string, unknown>>(
    databaseUrl,
    `select block_number::integer as block, array_agg(wallet.address) as wallets,
       concat_ws(' ', tx_hash, kind, position, item, raw) as row
     from transfers join wallets as wallet on wallet.address in (from_address, to_address)
     where network_id = '${NETWORK}' group by tx_hash, kind, position, item, raw, block_number`,
  )
}

/** Y2: each wallet has all rows up to its cursor and none beyond, except rows that another wallet brought. */
async function expectRowsUpToCursors(oracle: Stored[]): Promise<void> {
  const cursors = new Map(
    (
      await query<{ address: string; cursor: number }>(
        url,
        'select address, cursor_block::integer as cursor from wallet_syncs join wallets on id = wallet_id',
      )
    ).map(({ address, cursor }) => [address, cursor]),
  )
  const isRead = ({ block, wallets: of }: Stored) =>
    of.some((address) => (cursors.get(address) ?? -1) >= block)
  const stored = (await transfersOf(url)).map(({ row }) => row)
  expect(stored.sort()).toEqual(
    oracle
      .filter(isRead)
      .map(({ row }) => row)
      .sort(),
  )
}

test(`Y1, Y2 ${KILLS} kills at random statements: rows and cursor stay consistent, and the final tables equal an undisturbed run`, async () => {
  const random = createRandom(SEED)
  const oracle = await transfersOf(oracleUrl)
  const expected = await walletTables(oracleUrl)
  expect(expected['movements']!.rows).toBeGreaterThan(50)
  const startMs = Date.now()
  let deaths = 0
  let rounds = 0
  await empty()
  while (deaths < KILLS) {
    // Favours early statements, so that kills hit all stages of a run.
    const dieAt = Math.ceil(random.next() * random.next() * statements)
    const { died } = await sync({ databaseUrl: url, dieAt, moment: random.next() < 0.5 ? 'before' : 'after' })
    await expectRowsUpToCursors(oracle)
    if (died) deaths++
    if (died && deaths % 20 === 0) log(`Y1 ${deaths} kills, ${rounds} complete runs`)
    if (died && deaths < KILLS) continue
    if (died) await sync({ databaseUrl: url })
    expect(await walletTables(url)).toEqual(expected)
    rounds++
    await empty()
  }
  log(
    `Y1 seed ${SEED}: ${deaths} kills in ${Math.round((Date.now() - startMs) / 1_000)} s, ${rounds} complete runs`,
  )
  expect(rounds).toBeGreaterThan(1)
}, 1_500_000)

test.each(['+24h', '-24h'])(
  'Y12 a clock that is %s off does not change the rows: they are ordered by block',
  async (offset) => {
    const path = process.env['PATH'] ?? ''
    if ((await programOnPath(path, ['faketime'])) === null)
      await installSystemPackage({ name: 'faketime', log })
    await empty()
    await sync({ databaseUrl: url }, ['faketime', '-f', offset])
    const [times] = await query<{ fetched: number; synced: number }>(
      url,
      `select round(extract(epoch from (select max(fetched_at) from transactions) - now()) / 3600)::integer as fetched,
         round(extract(epoch from max(synced_at) - now()) / 3600)::integer as synced from wallet_syncs`,
    )
    log(`Y12 fetched_at is ${times!.fetched} h from now, synced_at ${times!.synced} h`)
    expect(times).toEqual({ fetched: Number.parseInt(offset, 10), synced: 0 })
    expect(await walletTables(url)).toEqual(await walletTables(oracleUrl))
  },
  120_000,
)
