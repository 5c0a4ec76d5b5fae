import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openDb } from '../../../db/connect.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason } from '../shared/machine.ts'
import { measurePairs, type Pair } from '../shared/pairs.ts'
import { perSecond, printReport, type Ratio, reasonOf } from '../shared/report.ts'
import { copyPlainly, createLimitTable } from './copy-limit.ts'
import { dltPeer, type PeerDeps, targetPeer } from './peers.ts'
import { startWorkflows } from './temporal.ts'
import { BATCH, batchesOf, writeBatch } from './write-batch.ts'

const args = readArguments({
  rows: 1_000_000,
  pairs: 5,
  'workflow-rows': 250_000,
  'peer-rows': 100_000,
  'peer-pairs': 2,
})
const log = (line: string) => console.log(`bench:ingest ${line}`)
const busy = busyReason()
const cleanup = createCleanup()
const ratios: Ratio[] = []
const raw: [string, string][] = []

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-ingest-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  log('starting Postgres')
  const postgres = await startBenchPostgres(cleanup)
  const [owner, ingest] = [openPool(postgres.ownerUrl), openPool(postgres.roleUrl('ingest'))]
  await createLimitTable(owner)

  const write = async (rows: number): Promise<number> => {
    let inserted = 0
    for (const batch of batchesOf(rows)) inserted += await writeBatch(ingest, batch)
    return inserted
  }
  const fresh = async (): Promise<void> => {
    await owner.query('truncate transfers, transfers_limit')
    for (const schema of ['peer_dlt', 'peer_dlt_staging', 'peer_target'])
      await owner.query(`drop schema if exists ${schema} cascade`)
    await owner.query('checkpoint')
  }
  /** Measures one run into empty tables in milliseconds, and checks that they then hold the rows. */
  const timed = (rows: number, table: string, work: () => Promise<unknown>) => async (): Promise<number> => {
    await fresh()
    const startMs = performance.now()
    await work()
    const ms = performance.now() - startMs
    await expectRows(owner, table, rows)
    return ms
  }

  log('warming up')
  await write(BATCH)
  await copyPlainly(owner, BATCH)

  log(`G7: ${args.rows.toLocaleString('en')} rows, write path against plain COPY, ${args.pairs} pairs`)
  const copies = await measurePairs({
    pairs: args.pairs,
    ours: timed(args.rows, 'transfers', () => write(args.rows)),
    peer: timed(args.rows, 'transfers_limit', () => copyPlainly(owner, args.rows)),
  })
  addRatio({ id: 'G7', name: 'write path / plain COPY', floor: 0.75, goal: 0.95 }, copies)
  raw.push(
    [`write path, batches of ${BATCH.toLocaleString('en')}`, rates(copies, 'ours', args.rows)],
    ['COPY into the same indexes (limit)', rates(copies, 'peer', args.rows)],
  )

  log('writing the same rows again')
  await fresh()
  await write(args.rows)
  const replayMs = performance.now()
  const changed = await write(args.rows)
  raw.push(['replay of the same rows', perSecond((args.rows / (performance.now() - replayMs)) * 1_000)])
  if (changed !== 0) throw new Error(`a replay changed ${changed} rows`)
  raw.push(['rows changed by the replay', String(changed)])

  const rows = args['workflow-rows']
  log(`G12: ${rows.toLocaleString('en')} rows, workflow activities against direct calls, ${args.pairs} pairs`)
  const inWorkflow = await startWorkflows({ folder, pool: ingest, cleanup, log })
  await inWorkflow(batchesOf(1_000))
  const workflows = await measurePairs({
    pairs: args.pairs,
    ours: timed(rows, 'transfers', () => inWorkflow(batchesOf(rows))),
    peer: timed(rows, 'transfers', () => write(rows)),
  })
  addRatio({ id: 'G12', name: 'in a workflow / called directly', floor: 0.8, goal: 0.95 }, workflows)
  raw.push(
    [`in a workflow, ${rows / BATCH} activities`, rates(workflows, 'ours', rows)],
    ['called directly', rates(workflows, 'peer', rows)],
  )
  raw.push(['peak memory of this process, worker included', `${process.resourceUsage().maxRSS >> 10} MB`])

  const { port, ownerPassword, ownerUrl: databaseUrl } = postgres
  const peerRows = args['peer-rows']
  const deps: PeerDeps = { folder, databaseUrl, ownerPassword, port, rows: peerRows, cleanup, log }
  for (const [name, openPeer] of [
    ['dlt merge', dltPeer],
    ['target-postgres', targetPeer],
  ] as const) {
    const goal = { id: `G8 ${name}`, name: 'write path / peer', floor: 5, goal: 8 }
    try {
      const peer = await openPeer(deps)
      log(`G8: ${peerRows.toLocaleString('en')} rows, ${name}, ${args['peer-pairs']} pairs`)
      const pairs = await measurePairs({
        pairs: args['peer-pairs'],
        ours: timed(peerRows, 'transfers', () => write(peerRows)),
        peer: async () => {
          await fresh()
          const seconds = await peer.load()
          await expectRows(owner, `${peer.schema}.transfers`, peerRows)
          return seconds * 1_000
        },
      })
      addRatio(goal, pairs)
      raw.push([`write path beside ${name}`, rates(pairs, 'ours', peerRows)])
      raw.push([`${name}, without the start of Python`, rates(pairs, 'peer', peerRows)])
    } catch (error) {
      ratios.push({ ...goal, values: [], missing: reasonOf(error) })
    }
  }
  printReport({
    title: `Ingestion of ${args.rows.toLocaleString('en')} transfers into Postgres (fsync on), four indexes`,
    ratios,
    raw,
    busy,
    json: args.json,
  })
} finally {
  await cleanup.run()
}

function openPool(url: string): pg.Pool {
  const connection = openDb({ url, maxConnections: 2, applicationName: 'bench' })
  cleanup.add(connection.close)
  return connection.pool
}

/** Adds the ratio of our speed to the peer's, per pair. */
function addRatio(ratio: Omit<Ratio, 'values'>, pairs: readonly Pair[]): void {
  ratios.push({ ...ratio, values: pairs.map((pair) => pair.peer / pair.ours) })
}

function rates(pairs: readonly Pair[], side: keyof Pair, rows: number): string {
  return pairs.map((pair) => perSecond((rows / pair[side]) * 1_000)).join(', ')
}

/** Checks that the table holds all rows, by number of rows and of distinct hashes. */
async function expectRows(owner: pg.Pool, table: string, rows: number): Promise<void> {
  const { rows: found } = await owner.query<{ rows: string; transactions: string }>(
    `select count(*) as rows, count(distinct tx_hash) as transactions from ${table}`,
  )
  const { rows: count, transactions } = found[0]!
  if (Number(count) !== rows || Number(transactions) !== Math.ceil(rows / 2))
    throw new Error(`${table} holds ${count} rows of ${transactions} transactions after ${rows} rows`)
}
