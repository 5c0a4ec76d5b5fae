import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../../db/connect.ts'
import { createKey } from '../../../db/metering/write.ts'
import { wallets } from '../../../sandbox/chain/actors.ts'
import { networks } from '../../../sandbox/chain/networks.ts'
import { checkCharges, readSpent } from '../read/charges.ts'
import { openAccount } from '../read/seed.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { loadPaths, WRK } from '../shared/load-paths.ts'
import { machineLine } from '../shared/machine.ts'
import { median } from '../shared/pairs.ts'
import { short } from '../shared/report.ts'
import { bytesPerRow, costOfSync } from './constants.ts'
import { type Shares, withShares } from './cpu-shares.ts'
import { halves, pinRun } from './pinned.ts'
import { startInstallation } from './installation.ts'
import { measureSyncs, syncOnce } from './syncs.ts'

// Runs 1, 2 and 4 processes of a kind on one half of the cores; Postgres, the load generator and all other parts have
// the other half. A rate per core is that of a second of CPU of a part. Line 0 is the idle installation: a `rest` above
// 5 % there means that something else uses the machine.
const args = readArguments({ rounds: 3, seconds: 5 })
const COUNTS = [1, 2, 4]
const CONNECTIONS = 64
const log = (line: string) => console.log(`bench:scale ${line}`)
const cleanup = createCleanup()

try {
  const { run, env, temporal, setWorkers } = await startInstallation({
    apis: Math.max(...COUNTS),
    cleanup,
    log,
  })
  const {
    db,
    pool: owner,
    close,
  } = openDb({
    url: env['DATABASE_URL']!,
    maxConnections: 2,
    applicationName: 'bench',
  })
  cleanup.add(close)
  const syncs = wallets.flatMap(({ address }) => networks.map(({ id }) => ({ address, networkId: id })))
  log(`syncing ${wallets.length} wallets on ${networks.length} networks`)
  await Promise.all(syncs.map((sync) => syncOnce(temporal, sync)))
  const wrk = await debianTool(WRK)
  const accountId = await openAccount(db)
  const { key } = await createKey(db, { accountId, name: 'bench' })
  const apis = Array.from(
    { length: Math.max(...COUNTS) },
    (_, n) => `http://127.0.0.1:${run.ports[n === 0 ? 'api' : `api-${n + 1}`]}`,
  )
  const paths = syncs.map(
    ({ address, networkId }) => `/wallet/transactions?address=${address}&connectionId=${networkId}&limit=20`,
  )
  const cost = await priceOf(`${apis[0]}/v1${paths[0]}`, key)

  const cores = halves()
  await pinRun(run, 'api', cores)
  log(`measuring: APIs or workers on cores ${cores.measured}, all others on ${cores.others}`)
  const { seconds } = args
  const reads = await interleaved(async (count) => {
    const before = await readSpent(owner, accountId)
    const loaded = await withShares(run, async () => {
      const connections = CONNECTIONS / count
      const all = await Promise.all(
        apis
          .slice(0, count)
          .map((url) => loadPaths(wrk, { url, key, paths, connections, seconds, cores: cores.others })),
      )
      const sum = (field: 'requests' | 'perSecond') => all.reduce((total, one) => total + one[field], 0)
      return {
        requests: sum('requests'),
        perSecond: sum('perSecond'),
        p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
      }
    })
    // Requests in flight when the load stopped may still commit.
    await sleep(200)
    const expected = { answered: loaded.result.requests, inFlight: CONNECTIONS, cost }
    checkCharges(before, await readSpent(owner, accountId), expected)
    return loaded
  })
  const { shares } = await withShares(run, () => sleep(seconds * 1_000))
  const idle = { shares, result: { perSecond: 0, p99Ms: 0 } }
  let synced: Rounds = new Map()
  const sync = await costOfSync(owner, async () => {
    let made = 0
    synced = await interleaved(async (count) => {
      await setWorkers(count)
      await pinRun(run, 'worker', cores)
      const warm = await measureSyncs(temporal, syncs, 1)
      const measured = await withShares(run, () => measureSyncs(temporal, syncs, 2 * seconds))
      made += warm.syncs + measured.result.syncs
      return measured
    })
    return made
  })
  const events = await Promise.all(syncs.map((one) => syncOnce(temporal, one)))
  const sizes = await bytesPerRow(owner)
  console.log(
    [
      `\nScale; ${machineLine()}\n`,
      ...tableOf('charged pages, APIs', reads),
      ...tableOf('syncs of wallets without new data, workers', new Map([[0, [idle]], ...synced])),
      `| a sync of a wallet without new data | |`,
      '| --- | --- |',
      `| events in its history | ${median(events)} |`,
      `| requests upstream | ${short(sync.requests)} |`,
      `| transactions of Temporal's tables | ${short(sync.temporalCommits)} |`,
      `| growth of Temporal's tables | ${Math.round(sync.temporalBytes)} bytes |`,
      `| growth of the Sluice database | ${Math.round(sync.bytes)} bytes |`,
      '\n| table | bytes a row, with indexes | rows measured |',
      '| --- | --- | --- |',
      ...sizes.map(([name, bytes, n]) => `| ${name} | ${Math.round(bytes)} | ${n.toLocaleString('en')} |`),
      '',
    ].join('\n'),
  )
  if (args.json) console.log(JSON.stringify({ reads: ratesOf(reads), syncs: ratesOf(synced), sync }))
} finally {
  await cleanup.run()
}

interface Rate {
  perSecond: number
  p99Ms: number
}
type Rounds = ReadonlyMap<number, { result: Rate; shares: Shares }[]>

/** Measures all counts in each round, in alternating order. */
async function interleaved(
  measure: (count: number) => Promise<{ result: Rate; shares: Shares }>,
): Promise<Rounds> {
  const rounds = new Map(COUNTS.map((count) => [count, [] as { result: Rate; shares: Shares }[]]))
  for (let round = 0; round < args.rounds; round++)
    for (const count of round % 2 === 0 ? COUNTS : COUNTS.toReversed())
      rounds.get(count)!.push(await measure(count))
  return rounds
}

function tableOf(what: string, rounds: Rounds): string[] {
  const parts = [...new Set([...rounds.values()].flat().flatMap(({ shares }) => Object.keys(shares)))]
  const percent = (values: number[]) => `${Math.round(100 * median(values))} %`
  // Parts without CPU time are left out.
  const shown = parts.filter((part) =>
    [...rounds.values()].flat().some(({ shares }) => (shares[part] ?? 0) >= 0.01),
  )
  return [
    `| ${what} | a second, each round | p99, ms | ${shown.map((part) => `${part}: share; a second per core`).join(' | ')} |`,
    `| --- | --- | --- | ${shown.map(() => '---').join(' | ')} |`,
    ...[...rounds].map(([count, measured]) => {
      const rates = measured.map(({ result }) => Math.round(result.perSecond).toLocaleString('en')).join('; ')
      const p99 = Math.round(median(measured.map(({ result }) => result.p99Ms)))
      const shares = shown.map((part) => {
        const perCore = median(measured.map((one) => one.result.perSecond / coresOf(one.shares[part] ?? 0)))
        const rate = Number.isFinite(perCore) && perCore > 0 ? `; ${short(perCore)}` : ''
        return percent(measured.map((one) => one.shares[part] ?? 0)) + rate
      })
      return `| ${count} | ${rates} | ${p99} | ${shares.join(' | ')} |`
    }),
    '',
  ]
}

/** The cores that a share of the machine is. */
const coresOf = (share: number) => share * cpus().length

function ratesOf(rounds: Rounds): Record<number, number> {
  return Object.fromEntries(
    [...rounds].map(([count, all]) => [count, median(all.map(({ result }) => result.perSecond))]),
  )
}

async function priceOf(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { 'x-api-key': key } })
  const cost = Number(response.headers.get('x-credits-cost'))
  if (response.status !== 200 || !(cost > 0)) throw new Error(`${response.status} ${await response.text()}`)
  return cost
}
