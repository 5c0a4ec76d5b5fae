import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason, machineLine } from '../shared/machine.ts'
import { measureIngest } from './ingest.ts'
import { measureEndpoints } from './measure-endpoints.ts'

// --ingest 0: measures the endpoints only.
const args = readArguments({
  ingest: 1,
  coins: 10_000,
  news: 1_000_000,
  markets: 50_000,
  trades: 10_000_000,
  transactions: 1_000,
  pairs: 3,
  seconds: 3,
})
/** Goals and floors of each endpoint. */
const RATIO = { goal: 0.8, floor: 0.6 }
const FIRST_MS = { goal: 25, floor: null }
const PEER = { goal: 5, floor: 3 }
const log = (line: string) => console.log(`bench:areas ${line}`)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-areas-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const ingested = args.ingest === 0 ? [] : await measureIngest({ folder, whole: cleanup, log })
  const { pairs, seconds, ...sizes } = args
  const { endpoints, peer, peakRssMb } = await measureEndpoints({ sizes, pairs, seconds, cleanup, log })
  const againstPeer = Object.entries('ratios' in peer ? peer.ratios : {})
  console.log(
    [
      `\nAreas; ${machineLine()}${busy ? `\nNot judged: ${busy}.` : ''}\n`,
      '| area | rows | rows/s | requests | rows/request | peak memory |',
      '| --- | --- | --- | --- | --- | --- |',
      ...ingested.map(
        ({ area, rows, ms, requests, peakMb }) =>
          `| ${area} | ${rows.toLocaleString('en')} | ${Math.round((rows / ms) * 1_000).toLocaleString('en')} | ` +
          `${requests} | ${requests > 0 ? (rows / requests).toFixed(1) : ''} | ${Math.round(peakMb)} MB |`,
      ),
      '\n| endpoint, 64 connections | requests/s | p99, ms | of wallet pages (goal 0.8, floor 0.6) | first answer after a change, p50, ms | p99, ms (goal 25, no floor) |',
      '| --- | --- | --- | --- | --- | --- |',
      ...endpoints.map(
        ({ name, perSecond, p99Ms, ratio, firstP50Ms, firstP99Ms }) =>
          `| ${name} | ${Math.round(perSecond)} | ${p99Ms} | ${ratio.toFixed(2)}${below(ratio < RATIO.floor)} | ` +
          `${firstP50Ms.toFixed(1)} | ${firstP99Ms.toFixed(1)}${firstP99Ms > FIRST_MS.goal ? ' above the goal' : ''} |`,
      ),
      '\n| endpoint, 64 connections, charged / PostGraphile 5.1.5, uncharged (goal 5, floor 3) | |',
      '| --- | --- |',
      ...againstPeer.map(([name, ratio]) => `| ${name} | ${ratio.toFixed(2)}${below(ratio < PEER.floor)} |`),
      ...('missing' in peer ? [`| no ratio: ${peer.missing} | |`] : []),
      `\nPeak memory of the API: ${peakRssMb} MB (goal 400)\n`,
    ].join('\n'),
  )
  if (args.json)
    console.log(
      JSON.stringify({
        shared: Object.fromEntries(endpoints.map(({ name, ratio }) => [name, ratio])),
        firstMs: Object.fromEntries(endpoints.map(({ name, firstP99Ms }) => [name, firstP99Ms])),
        firstMedianMs: Object.fromEntries(endpoints.map(({ name, firstP50Ms }) => [name, firstP50Ms])),
        peer: Object.fromEntries(againstPeer),
        peakRssMb,
        lines: { shared: RATIO, firstMs: FIRST_MS, peer: PEER },
        judged: busy === null,
      }),
    )
  const isBelow =
    endpoints.some(({ ratio }) => ratio < RATIO.floor) || againstPeer.some(([, ratio]) => ratio < PEER.floor)
  if (!busy && isBelow) process.exitCode = 1
} finally {
  await cleanup.run()
}

function below(is: boolean): string {
  return is ? ' BELOW THE FLOOR' : ''
}
