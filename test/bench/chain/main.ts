import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDb } from '../../../db/connect.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason } from '../shared/machine.ts'
import { DECLARED_NETWORKS, TEN_TIMES_THE_NETWORKS } from '../shared/many-networks.ts'
import { measurePairs } from '../shared/pairs.ts'
import { perSecond, printReport, type Ratio, reasonOf } from '../shared/report.ts'
import { addBlocks, SENDER, startChain, TRANSFERS_PER_BLOCK } from './chain.ts'
import { ponderPeer, type PonderRun } from './ponder.ts'

interface SyncRun {
  ms: number
  blocks: number
  peakRssMb: number
}

const args = readArguments({ blocks: 1_000, pairs: 5 })
const log = (line: string) => console.log(`bench:chain ${line}`)
const busy = busyReason()
const cleanup = createCleanup()
const run = promisify(execFile)

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-chain-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  log('starting Postgres and the chain')
  const postgres = await startBenchPostgres(cleanup)
  const { pool: owner, close } = openDb({
    url: postgres.ownerUrl,
    maxConnections: 2,
    applicationName: 'bench',
  })
  cleanup.add(close)
  const rpc = await startChain(folder, cleanup)

  const sync = async (transfers: number): Promise<SyncRun> => {
    await owner.query('truncate blocks, transactions, transfers, wallets cascade')
    await owner.query('checkpoint')
    const program = join(import.meta.dirname, 'sync-process.ts')
    const { stdout } = await run(process.execPath, [program, postgres.roleUrl('ingest'), rpc.url, SENDER])
    const { rows } = await owner.query<{ rows: string }>(
      `select count(distinct (tx_hash, position)) as rows from transfers where kind = 'erc20'
         and from_address = $1`,
      [SENDER],
    )
    expectTransfers('the sync', Number(rows[0]!.rows), transfers)
    return JSON.parse(stdout) as SyncRun
  }

  const tenth = Math.max(1, Math.round(args.blocks / 10))
  log(`mining ${tenth} blocks of ${TRANSFERS_PER_BLOCK} transfers`)
  await addBlocks(rpc, tenth)
  const small = await sync(tenth * TRANSFERS_PER_BLOCK)
  log(`mining ${args.blocks - tenth} more`)
  await addBlocks(rpc, args.blocks - tenth)
  const transfers = args.blocks * TRANSFERS_PER_BLOCK

  const ours: SyncRun[] = []
  const against = async (project: 'transfers' | 'history', goal: Omit<Ratio, 'values'>) => {
    const peers: PonderRun[] = []
    try {
      const index = await ponderPeer({ project, postgres, owner, rpcUrl: rpc.url, cleanup })
      log(`${transfers.toLocaleString('en')} transfers, ${args.pairs} pairs with Ponder (${project})`)
      const pairs = await measurePairs({
        pairs: args.pairs,
        ours: async () => {
          ours.push(await sync(transfers))
          return ours.at(-1)!.ms
        },
        peer: async () => {
          peers.push(await index())
          expectTransfers('Ponder', peers.at(-1)!.transfers, transfers)
          return peers.at(-1)!.ms
        },
      })
      return { peers, ratio: { ...goal, values: pairs.map((pair) => pair.peer / pair.ours) } }
    } catch (error) {
      return { peers, ratio: { ...goal, values: [], missing: reasonOf(error) } }
    }
  }
  const history = await against('history', {
    id: 'G9',
    name: 'transfers/s, wallet history / Ponder with the same history',
    floor: 3,
    goal: 5,
  })
  const onlyTransfers = await against('transfers', {
    id: 'G9T',
    name: 'transfers/s, wallet history / Ponder with transfers of one token only',
    floor: 1,
    goal: 2,
  })
  if (ours.length === 0) ours.push(await sync(transfers))
  log('ten times the networks')
  const declared: SyncRun[] = []
  const many: SyncRun[] = []
  const withMany = await measurePairs({
    pairs: args.pairs,
    ours: async () => {
      await owner.query(TEN_TIMES_THE_NETWORKS)
      many.push(await sync(transfers))
      await owner.query(DECLARED_NETWORKS)
      return many.at(-1)!.ms
    },
    peer: async () => {
      declared.push(await sync(transfers))
      return declared.at(-1)!.ms
    },
  })
  const breadth = { floor: 1.15, goal: 1.05, lessIsBetter: true }
  const rates = (count: number, runs: readonly { ms: number }[]) =>
    runs.map(({ ms }) => perSecond((count / ms) * 1_000)).join(', ')
  const memory = (runs: readonly { peakRssMb: number }[]) =>
    runs.map((one) => `${Math.round(one.peakRssMb)} MB`).join(', ')
  printReport({
    title: `Sync of a wallet with ${transfers.toLocaleString('en')} transfers in ${ours[0]!.blocks.toLocaleString('en')} blocks of the sandbox's node`,
    ratios: [
      history.ratio,
      onlyTransfers.ratio,
      {
        ...breadth,
        id: 'N1',
        name: 'time of a sync, ten times the declared networks / those',
        values: withMany.map(({ ours: ms, peer }) => ms / peer),
      },
      {
        ...breadth,
        id: 'N2',
        name: 'memory of a sync, ten times the declared networks / those',
        values: many.map(({ peakRssMb }, i) => peakRssMb / declared[i]!.peakRssMb),
      },
    ],
    raw: [
      ['wallet sync, transfers', rates(transfers, ours)],
      ['wallet sync, blocks', rates(ours[0]!.blocks, ours)],
      ['Ponder, history, transfers, without process start', rates(transfers, history.peers)],
      ['Ponder, transfers only, without process start', rates(transfers, onlyTransfers.peers)],
      ['peak memory of the worker', memory(ours)],
      ['peak memory of the worker with a tenth of the transfers', memory([small])],
      ['peak memory of Ponder, history', memory(history.peers)],
      ['wallet sync with ten times the networks, transfers', rates(transfers, many)],
      ['peak memory with ten times the networks', memory(many)],
    ],
    busy,
    json: args.json,
  })
} finally {
  await cleanup.run()
}

function expectTransfers(who: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${who} has stored ${found} of ${expected} transfers`)
}
