import { openDb } from '../../../db/connect.ts'
import { seedCoins } from '../read/seed.ts'
import type { BenchServer } from '../read/servers.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { WRK } from '../shared/load-paths.ts'
import { busyReason } from '../shared/machine.ts'
import { median } from '../shared/pairs.ts'
import { readProcess } from '../shared/processes.ts'
import { printReport, type Ratio, short } from '../shared/report.ts'
import { startFacilitator } from './facilitator.ts'
import { type Load, load } from './load.ts'
import { type PaidCalls, payCalls, signPayments } from './paid-calls.ts'
import { startBareLedger, startBareServer, startGateway, startPeer } from './servers.ts'

/** Needs no query on either side, so only the cost of selling is measured. */
const PATH = '/exchange/support'
/** The most common product: rows of a database, from the same handler on both sides. */
const DATA_PATH = '/coins?limit=20'

/** Node compiles what runs often: in its first 1,000 calls the server with more code is the slower one. */
const WARM_ROUNDS = 3

type Paid = PaidCalls & { cpuMs: number }

/** G13, by what a call reads and by connections. */
const BOUNDS = {
  rows: { 1: { floor: 1, goal: 0.8 }, 64: { floor: 0.8, goal: 0.6 } },
  'no rows': { 1: { floor: 2, goal: 1.4 }, 64: { floor: 2, goal: 1.4 } },
}

const args = readArguments({ pairs: 5, seconds: 2, calls: 60, parallel: 320 })
const log = (line: string) => console.log(`bench:gateway ${line}`)
const busy = busyReason()
const cleanup = createCleanup()
const ratios: Ratio[] = []
const plain: string[] = []
const paid: string[] = []
const raw: [string, string][] = []

try {
  const wrk = await debianTool(WRK)
  log('starting Postgres, a chain, its facilitator and the servers')
  const postgres = await startBenchPostgres(cleanup)
  const { db, close } = openDb({ url: postgres.ownerUrl, maxConnections: 1, applicationName: 'bench' })
  cleanup.add(close)
  await seedCoins(db)
  const facilitator = await startFacilitator(cleanup)
  const ours = await startGateway({ postgres, facilitator, cleanup })
  const peer = await startPeer({ postgres, facilitator, cleanup })
  const limit = await startBareServer({ facilitator, cleanup })
  const ledger = await startBareLedger({ postgres, facilitator, cleanup })
  await checkAnswers(DATA_PATH)
  const cookie = await checkAnswers(PATH)

  /** Measures the servers interleaved, after some rounds that do not count. Returns the figures of each server. */
  async function compare<Figures>(
    servers: readonly BenchServer[],
    measure: (server: BenchServer) => Promise<Figures>,
  ): Promise<Figures[][]> {
    const figures = servers.map((): Figures[] => [])
    for (let round = 1 - WARM_ROUNDS; round <= args.pairs; round++)
      for (const [index, server] of servers.entries()) {
        const measured = await measure(server)
        if (round > 0) figures[index]!.push(measured)
      }
    return figures
  }

  for (const connections of [1, 64]) {
    log(`402, ${connections} connections`)
    const ask = { path: PATH, connections, seconds: args.seconds }
    const [mine, theirs] = (await compare([ours, peer], ({ url }) =>
      load(wrk, { ...ask, url, status: 402 }),
    )) as [Load[], Load[]]
    plainRow(`402, ${connections}`, mine, theirs)
    const values = mine.map(({ perSecond }, i) => perSecond / theirs[i]!.perSecond)
    ratios.push({
      id: `G13 402 ${connections}`,
      name: `402s a second, ${connections} connections: ours / @x402/hono`,
      values,
      ...(connections === 64 ? { floor: 1.4, goal: 2 } : { floor: 1, goal: 1.4 }),
    })
    log(`cookie, ${connections} connections`)
    const hits: Load[] = []
    for (let i = 0; i < args.pairs; i++)
      hits.push(await load(wrk, { ...ask, url: ours.url, status: 200, cookie }))
    plainRow(`cookie, ${connections}`, hits, null)
  }
  for (const path of [PATH, DATA_PATH])
    // 64 connections first, so that both sides are compiled before the run with one.
    for (const connections of [64, 1]) {
      log(`paid calls of ${path}, ${connections} connections`)
      const calls = connections === 1 ? args.calls : args.parallel
      const servers = path === PATH ? [ours, peer, limit, ledger] : [ours, peer]
      const sides = await compare(servers, async ({ url, pid }) => {
        const before = cpuMs(pid)
        const figures = await payCalls({ url, path, connections, calls, facilitator })
        return { ...figures, cpuMs: (cpuMs(pid) - before) / calls }
      })
      for (const [index, side] of sides.entries())
        paidRow(
          `${path}: ${['ours', '@x402/hono', 'limit', 'limit with a ledger'][index]}, ${connections}`,
          side,
        )
      const [mine, theirs, , bound] = sides as [Paid[], Paid[], Paid[]?, Paid[]?]
      // A call without rows is held against the least that a seller must do: the stock server keeps nothing.
      const other = bound ?? theirs
      ratios.push({
        id: `G13 ${bound ? 'no rows' : 'rows'} ${connections}`,
        name: `own time of a paid call, ${connections} connections: ours / ${bound ? 'limit with a ledger' : '@x402/hono'}`,
        values: mine.map(({ ownMs }, i) => ownMs / other[i]!.ownMs),
        ...BOUNDS[bound ? 'no rows' : 'rows'][connections as 1 | 64],
        lessIsBetter: true,
      })
      const cpuValues = mine.map(({ cpuMs }, i) => theirs[i]!.cpuMs / cpuMs)
      raw.push([
        `CPU of the server for a paid call of ${path}, ${connections} connections: @x402/hono / ours`,
        `${short(median(cpuValues))} (${short(Math.min(...cpuValues))} to ${short(Math.max(...cpuValues))})`,
      ])
    }

  console.log(
    [
      '',
      '| connections | ours: a second, p50, p99 | @x402/hono 2.27.0: a second, p50, p99 |',
      '| --- | --- | --- |',
      ...plain,
      '',
      '| paid call, connections | calls/s | whole, ms | verify, ms | settle, ms | node, ms | own, ms | own p99, ms | CPU of the server, ms |',
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      ...paid,
    ].join('\n'),
  )
  printReport({
    title:
      'Paid calls, settled by the same facilitator on the same chain. Own time: the call without verify, settle and the time of the node. Limit: a server that asks the facilitator and answers without any check. Limit with a ledger: it also stores the minimum and asks the chain',
    ratios,
    raw,
    busy,
    json: args.json,
  })

  /** Checks that both sides answer a paid call with the same data, else throws. Returns our cookie for it. */
  async function checkAnswers(path: string): Promise<string> {
    const answers = await Promise.all(
      [ours, peer].map(async ({ url }) => {
        const [payment] = await signPayments({ url, path, payer: facilitator.payer, count: 1 })
        const response = await fetch(`${url}${path}`, { headers: { 'payment-signature': payment!.header } })
        return {
          status: response.status,
          body: await response.text(),
          cookies: response.headers.getSetCookie(),
        }
      }),
    )
    const [one, other] = answers as [(typeof answers)[number], (typeof answers)[number]]
    if (one.status !== 200 || one.body !== other.body)
      throw new Error(
        `the servers answer differently: ${one.status} ${one.body.slice(0, 100)}, ${other.status} ${other.body.slice(0, 100)}`,
      )
    return one.cookies[0]!.split(';')[0]!
  }
} finally {
  await cleanup.run()
}

function plainRow(name: string, one: readonly Load[], other: readonly Load[] | null): void {
  const cell = (loads: readonly Load[]) => {
    const of = (field: keyof Load) => median(loads.map((figures) => figures[field]))
    return `${Math.round(of('perSecond')).toLocaleString('en')}, ${of('p50Ms').toFixed(2)} ms, ${of('p99Ms').toFixed(2)} ms`
  }
  plain.push(`| ${name} | ${cell(one)} | ${other === null ? 'has none' : cell(other)} |`)
}

function paidRow(name: string, runs: readonly Paid[]): void {
  const of = (field: keyof Paid) => median(runs.map((figures) => figures[field]))
  const times = (['totalMs', 'verifyMs', 'settleMs', 'chainMs', 'ownMs', 'ownP99Ms', 'cpuMs'] as const).map(
    (field) => of(field).toFixed(2),
  )
  paid.push(`| ${name} | ${of('perSecond').toFixed(0)} | ${times.join(' | ')} |`)
}

/** CPU milliseconds used by a process so far. */
function cpuMs(pid: number): number {
  const process = readProcess(pid)
  if (!process) throw new Error(`process ${pid} has ended`)
  return process.cpuS * 1_000
}
