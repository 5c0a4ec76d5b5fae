import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../../db/connect.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { WRK } from '../shared/load-paths.ts'
import { busyReason, peakRssMb } from '../shared/machine.ts'
import { measurePairs } from '../shared/pairs.ts'
import { perSecond, printReport, type Ratio, reasonOf } from '../shared/report.ts'
import { chargesPerSecond, checkCharges, readSpent } from './charges.ts'
import { checkGraphQl, checkRest, pageUrl } from './check-answers.ts'
import { CONNECTIONS, load } from './load.ts'
import { pgbench, writePageScript } from './pgbench.ts'
import { ADDRESS_SQL, BIG_WALLET, FIRST_WALLET, openAccount, seedRead } from './seed.ts'
import { measureScaling } from './scaling.ts'
import * as servers from './servers.ts'

// --scaling 1: measures only the table of 1, 2 and 4 processes, --seconds each.
const args = readArguments({ rows: 1_000_000, pairs: 5, seconds: 3, scaling: 0 })
const log = (line: string) => console.log(`bench:read ${line}`)
const busy = busyReason()
const cleanup = createCleanup()
const ratios: Ratio[] = []
const raw: [string, string][] = []

try {
  const wrk = await debianTool(WRK)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-read-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  log('starting Postgres')
  const postgres = await startBenchPostgres(cleanup)
  const {
    db,
    pool: owner,
    close,
  } = openDb({
    url: postgres.ownerUrl,
    maxConnections: 2,
    applicationName: 'bench',
  })
  cleanup.add(close)
  log(`storing ${args.rows.toLocaleString('en')} transactions`)
  const seed = await seedRead(db, args.rows)
  const { wallets, accountId, key } = seed
  await owner.query(servers.GRAPHQL_SCHEMA)

  log('starting the servers')
  const api = await servers.startApi(postgres, cleanup)
  const free = await servers.startFreeApi(postgres, cleanup)
  const first = await fetch(pageUrl(api, FIRST_WALLET), { headers: { 'x-api-key': key } })
  const cost = Number(first.headers.get('x-credits-cost'))
  if (first.status !== 200 || !(cost > 0)) throw new Error(`${first.status} ${await first.text()}`)
  // The plain server writes no ledger rows, so it gets its own account.
  const plain = await servers.startPlainServer(postgres, await openAccount(db), cleanup)
  await checkRest({ api, free, plain, key })
  if (args.scaling > 0)
    raw.push(...(await measureScaling({ wrk, postgres, cleanup, db, owner, seed, seconds: args.seconds })))

  const { pairs, seconds } = args
  const random = { mode: 'rest', key, first: FIRST_WALLET, count: wallets, page: 1, seconds } as const
  const p99: Record<string, number[]> = {}
  const rate = async (server: servers.BenchServer, name: string, options: Parameters<typeof load>[2]) => {
    const result = await load(wrk, server, options)
    ;(p99[name] ??= []).push(result.p99Ms)
    return result
  }
  /** Requests per second of the API. Throws if ledger and balance disagree. */
  const ours = async (options: Parameters<typeof load>[2], name = 'API'): Promise<number> => {
    const before = await readSpent(owner, accountId)
    const result = await rate(api, name, options)
    // Requests in flight when the load stopped may still commit.
    await sleep(200)
    const after = await readSpent(owner, accountId)
    checkCharges(before, after, { answered: result.requests, inFlight: CONNECTIONS, cost })
    return result.perSecond
  }
  const other = async (server: servers.BenchServer, name: string, options = {}): Promise<number> =>
    (await rate(server, name, { ...random, ...options })).perSecond

  /** Measures interleaved pairs of our side and the peer. If a side fails, the ratio has no figures. */
  async function compare(
    ratio: Omit<Ratio, 'values'>,
    names: readonly [string, string],
    open: () => Promise<{ ours: () => Promise<number>; peer: () => Promise<number> }>,
  ): Promise<void> {
    if (args.scaling > 0) return
    try {
      const sides = await open()
      log(`${ratio.id}: ${names[0]} / ${names[1]}, ${pairs} pairs`)
      await sides.ours()
      await sides.peer()
      const measured = await measurePairs({ pairs, ...sides })
      ratios.push({ ...ratio, values: measured.map((pair) => pair.ours / pair.peer) })
      for (const [index, side] of (['ours', 'peer'] as const).entries())
        raw.push([`${ratio.id} ${names[index]}`, measured.map((pair) => perSecond(pair[side])).join(', ')])
    } catch (error) {
      ratios.push({ ...ratio, values: [], missing: reasonOf(error) })
    }
  }

  await compare(
    { id: 'G1', name: 'charged page / pgbench, the same statement', floor: 0.6, goal: 0.75 },
    ['API', 'pgbench'],
    async () => {
      const program = await debianTool({
        name: 'pgbench',
        packages: ['postgresql-15', 'libpq5'],
        pathInPackage: 'usr/lib/postgresql/15/bin/pgbench',
      })
      const script = join(folder, 'page.sql')
      await writePageScript(script, wallets)
      const at = (connections: number, lasting: number) =>
        pgbench(program, { script, port: postgres.port, connections, seconds: lasting })
      const tried: { connections: number; tps: number }[] = []
      for (const connections of [8, 4, 8, 16, 64]) tried.push({ connections, tps: await at(connections, 2) })
      const best = tried.slice(1).toSorted((a, b) => b.tps - a.tps)[0]!
      raw.push([
        'pgbench by connections, once each',
        tried
          .slice(1)
          .map(({ connections, tps }) => `${connections}: ${perSecond(tps)}`)
          .join(', '),
      ])
      return { ours: () => ours(random), peer: () => at(best.connections, seconds) }
    },
  )
  await compare(
    { id: 'G2', name: 'charged / the same server with a charge that does nothing', floor: 0.75, goal: 0.9 },
    ['API', 'API without charge'],
    async () => ({ ours: () => ours(random), peer: () => other(free, 'API without charge') }),
  )
  await compare(
    { id: 'G3', name: 'charged / PostGraphile 5.1.5, uncharged', floor: 3, goal: 5 },
    ['API', 'PostGraphile'],
    async () => {
      const peer = await servers.startPostGraphile(postgres, cleanup)
      await checkGraphQl({ api, peer, key })
      return { ours: () => ours(random), peer: () => other(peer, 'PostGraphile', { mode: 'graphql' }) }
    },
  )
  await compare(
    { id: 'G4', name: 'charged / plain Kysely and an UPDATE for each request', floor: 5, goal: 8 },
    ['API', 'plain server'],
    async () => ({ ours: () => ours(random), peer: () => other(plain, 'plain server') }),
  )
  const charging = { postgres, owner, accountId: await openAccount(db), seconds }
  await compare(
    { id: 'G5', name: 'charges on one account, 4 processes / UPDATE for each', floor: 10, goal: 20 },
    ['group commit', 'UPDATE'],
    async () => ({
      ours: () => chargesPerSecond({ ...charging, way: 'group' }),
      peer: () => chargesPerSecond({ ...charging, way: 'update' }),
    }),
  )
  /** Runs the work while the wallet changes constantly, so that its pages are not cached. */
  async function whileItChanges(work: () => Promise<number>): Promise<number> {
    let isOver = false
    async function change(): Promise<void> {
      while (!isOver)
        await owner.query(
          `update wallet_transaction_counts set revision = gen_random_uuid() from wallets
           where id = wallet_id and address = ${ADDRESS_SQL(String(BIG_WALLET))}`,
        )
    }
    const changing = change()
    try {
      return await work()
    } finally {
      isOver = true
      await changing
    }
  }
  const big = { ...random, first: BIG_WALLET, count: 1 }
  await compare(
    { id: 'G6', name: 'page 5,000 / page 1 of a wallet of 200,000', floor: 0.7, goal: 0.9 },
    ['page 5,000', 'page 1'],
    async () => ({
      ours: () => whileItChanges(() => ours({ ...big, page: 5_000 }, 'page 5,000')),
      peer: () => whileItChanges(() => ours(big, 'page 1')),
    }),
  )
  for (const [name, values] of Object.entries(p99))
    raw.push([`p99 of ${name}, ms`, values.map((value) => value.toFixed(0)).join(', ')])
  ratios.push({
    id: 'memory',
    name: 'peak memory of the API, MB',
    values: [await peakRssMb(api.pid)],
    floor: 600,
    goal: 400,
    lessIsBetter: true,
  })
  raw.push(['credits', `in every run of ours, the balance changed by ${cost} per ledger row`])
  printReport({
    title: `Pages of 20 of ${args.rows.toLocaleString('en')} transactions, ${CONNECTIONS} connections, one key`,
    ratios,
    raw,
    busy,
    json: args.json,
  })
} finally {
  await cleanup.run()
}
