import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../db/connect.ts'
import { checkCharges, readSpent } from '../read/charges.ts'
import { CONNECTIONS } from '../read/load.ts'
import { FIRST_WALLET, seedRead } from '../read/seed.ts'
import { loadAll } from '../read/scaling.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { busyReason, machineLine } from '../shared/machine.ts'
import { median } from '../shared/pairs.ts'
import { short } from '../shared/report.ts'
import { bytesPerRow, costOfSync } from './constants.ts'
import { type Shares, withShares } from './cpu-shares.ts'
import { startInstallation } from './installation.ts'
import { measureSyncs, syncedWallets } from './syncs.ts'

// 1, 2 and 4 processes of a kind on one machine: its cores are the limit, and the table says who had them.
const args = readArguments({ rows: 300_000, rounds: 2, seconds: 6 })
const COUNTS = [1, 2, 4]
const log = (line: string) => console.log(`bench:scale ${line}`)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const { run, env, temporal, setWorkers } = await startInstallation({
    ...{ apis: Math.max(...COUNTS), cleanup, log },
  })
  const {
    db,
    pool: owner,
    close,
  } = openDb({
    ...{ url: env['DATABASE_URL']!, maxConnections: 2, applicationName: 'bench' },
  })
  cleanup.add(close)
  const syncs = await syncedWallets(owner)
  const networks = syncs.map(({ networkId }) => networkId)
  log(`storing ${args.rows.toLocaleString('en')} transactions`)
  const seed = await seedRead(db, args.rows)
  await owner.query('update networks set active = true where id = any($1)', [networks])
  const wrk = await debianTool({
    ...{ name: 'wrk', packages: ['wrk', 'libluajit-5.1-2', 'libluajit-5.1-common'] },
    pathInPackage: 'usr/bin/wrk',
  })
  const apis = Array.from({ length: Math.max(...COUNTS) }, (_, n) => ({
    url: `http://127.0.0.1:${run.ports[n === 0 ? 'api' : `api-${n + 1}`]}`,
  }))
  const cost = await priceOfPage(apis[0]!.url, seed.key)

  log('measuring')
  const { seconds } = args
  const reads = await interleaved(async (count) => {
    const before = await readSpent(owner, seed.accountId)
    const loaded = await withShares(run, () =>
      loadAll({ wrk, seed, seconds }, apis.slice(0, count), seed.key),
    )
    // What was in flight when the load stopped may still commit.
    await sleep(200)
    const expected = { answered: loaded.result.requests, inFlight: CONNECTIONS, cost }
    checkCharges(before, await readSpent(owner, seed.accountId), expected)
    return loaded
  })
  const synced = await interleaved(async (count) => {
    await setWorkers(count)
    await measureSyncs(temporal, syncs, 1)
    return withShares(run, () => measureSyncs(temporal, syncs, 2 * seconds))
  })
  await setWorkers(1)
  const sync = await costOfSync({ client: temporal, owner, syncs })
  const sizes = await bytesPerRow(owner)
  console.log(
    [
      `\nScale; ${machineLine()}${busy ? `\nNot judged: ${busy}.` : ''}\n`,
      ...tableOf('charged pages, APIs', reads),
      ...tableOf('syncs of wallets with nothing new, workers', synced),
      `| a sync of a wallet with nothing new | |`,
      '| --- | --- |',
      `| events in its history | ${sync.events} |`,
      `| requests upstream | ${short(sync.requests)} |`,
      `| transactions of Temporal's tables | ${short(sync.temporalCommits)} |`,
      `| growth of Temporal's tables | ${Math.round(sync.temporalBytes)} bytes |`,
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

/** All counts in each round, the order turned with each. */
async function interleaved(measure: (count: number) => Promise<{ result: Rate; shares: Shares }>): Promise<Rounds> {
  const rounds = new Map(COUNTS.map((count) => [count, [] as { result: Rate; shares: Shares }[]]))
  for (let round = 0; round < args.rounds; round++)
    for (const count of round % 2 === 0 ? COUNTS : COUNTS.toReversed())
      rounds.get(count)!.push(await measure(count))
  return rounds
}

function tableOf(what: string, rounds: Rounds): string[] {
  const parts = [...new Set([...rounds.values()].flat().flatMap(({ shares }) => Object.keys(shares)))]
  const percent = (values: number[]) => `${Math.round(100 * median(values))} %`
  // What takes nothing is left out.
  const shown = parts.filter((part) =>
    [...rounds.values()].flat().some(({ shares }) => (shares[part] ?? 0) >= 0.01),
  )
  return [
    `| ${what} | a second, each round | p99, ms | ${shown.join(' | ')} |`,
    `| --- | --- | --- | ${shown.map(() => '---').join(' | ')} |`,
    ...[...rounds].map(([count, measured]) => {
      const rates = measured.map(({ result }) => Math.round(result.perSecond).toLocaleString('en')).join('; ')
      const p99 = Math.round(median(measured.map(({ result }) => result.p99Ms)))
      const shares = shown.map((part) => percent(measured.map((one) => one.shares[part] ?? 0)))
      return `| ${count} | ${rates} | ${p99} | ${shares.join(' | ')} |`
    }),
    '',
  ]
}

function ratesOf(rounds: Rounds): Record<number, number> {
  return Object.fromEntries(
    [...rounds].map(([count, all]) => [count, median(all.map(({ result }) => result.perSecond))]),
  )
}

async function priceOfPage(url: string, key: string): Promise<number> {
  const address = `0x${FIRST_WALLET.toString(16).padStart(40, '0')}`
  const path = `/v1/wallet/transactions?address=${address}&connectionId=ethereum&limit=20`
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  const cost = Number(response.headers.get('x-credits-cost'))
  if (response.status !== 200 || !(cost > 0)) throw new Error(`${response.status} ${await response.text()}`)
  return cost
}
