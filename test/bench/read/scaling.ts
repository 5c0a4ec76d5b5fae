import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from '../../../db/schema.ts'
import { createKey } from '../../../db/metering/write.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import type { Tool } from '../shared/debian-tool.ts'
import { perSecond } from '../shared/report.ts'
import { CONNECTIONS, load } from './load.ts'
import { FIRST_WALLET, openAccount, type Seed } from './seed.ts'
import { type BenchServer, startApi } from './servers.ts'

const PROCESSES = [1, 2, 4]
const ACCOUNTS = 200

interface Scaling {
  wrk: Tool
  postgres: BenchPostgres
  cleanup: Cleanup
  db: Db
  owner: pg.Pool
  seed: Seed
  seconds: number
}

/**
 * Charged pages per second with 1, 2 and 4 API processes on one database, for one hot account and for 200
 * accounts.
 */
export async function measureScaling(input: Scaling): Promise<[what: string, figures: string][]> {
  const { postgres, cleanup, db, seed, owner } = input
  const apis: BenchServer[] = []
  for (let n = 0; n < Math.max(...PROCESSES); n++) apis.push(await startApi(postgres, cleanup))
  const keys: string[] = []
  for (let n = 0; n < ACCOUNTS; n++)
    keys.push((await createKey(db, { accountId: await openAccount(db), name: 'bench' })).key)
  const rows: [string, string][] = []
  for (const processes of PROCESSES)
    for (const [name, key] of [
      ['one hot account', seed.key],
      [`${ACCOUNTS} accounts`, keys.join(',')],
    ] as const) {
      const before = await totals(owner)
      const result = await loadAll(input, apis.slice(0, processes), key)
      await sleep(200)
      checkTotals(before, await totals(owner), result.requests)
      const figures = `${perSecond(result.perSecond)}, p99 ${result.p99Ms.toFixed(0)} ms`
      rows.push([`${processes} API processes, ${name}`, figures])
    }
  return rows
}

/** Divides the connections among the processes. `keys`: comma-separated; each request uses one at random. */
async function loadAll({ wrk, seed, seconds }: Scaling, apis: readonly BenchServer[], keys: string) {
  const connections = CONNECTIONS / apis.length
  const options = { mode: 'rest', key: keys, first: FIRST_WALLET, count: seed.wallets, page: 1 } as const
  const loads = await Promise.all(apis.map((api) => load(wrk, api, { ...options, seconds, connections })))
  const sum = (field: 'requests' | 'perSecond') => loads.reduce((total, one) => total + one[field], 0)
  return {
    requests: sum('requests'),
    perSecond: sum('perSecond'),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
  }
}

async function totals(owner: pg.Pool): Promise<{ entries: number; ledger: number; posted: number }> {
  const { rows } = await owner.query<{ entries: number; ledger: number; posted: number }>(
    `select count(*)::float8 as entries, coalesce(sum(credits), 0)::float8 as ledger,
       (select sum(c.posted)::float8 from credit_periods c where exists
         (select from ledger_entries l where l.account_id = c.account_id)) as posted from ledger_entries`,
  )
  return rows[0]!
}

/** Checks that every answer is charged and that balances equal the ledger. Throws otherwise. */
function checkTotals(
  before: Awaited<ReturnType<typeof totals>>,
  after: Awaited<ReturnType<typeof totals>>,
  answered: number,
): void {
  const charged = after.entries - before.entries
  if (charged < answered || charged > answered + CONNECTIONS)
    throw new Error(`${answered} requests were answered and ${charged} charged`)
  if (after.posted !== after.ledger)
    throw new Error(`the balances moved by ${after.posted}, the ledger by ${after.ledger}`)
}
