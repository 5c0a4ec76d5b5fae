import type { runDay } from './day.ts'
import { dayAllowance } from './day-nodes.ts'
import type { Comparison } from './day-rows.ts'

type Day = Awaited<ReturnType<typeof runDay>>

/** What the day took and gave, as lines to print. */
export async function report(
  { world, worker, samples, pool }: Day,
  compared: readonly Comparison[],
): Promise<string> {
  const { rows: follows } = await pool.query<{ network_id: string; method: string; tick_ms: number | null }>(
    'select network_id, method, tick_ms from network_follows',
  )
  // What happened to newcomers before they were asked for is history.
  const { rows: served } = await pool.query<{ network_id: string; delays: number[] }>(
    `select network_id, array_agg(extract(epoch from fetched_at - at)::float8 * 1000) as delays
     from wallet_transactions join wallet_syncs using (wallet_id, network_id)
     where block_number > covered_from group by network_id`,
  )
  const { rows: rewinds } = await pool.query<{ network_id: string; count: number }>(
    'select network_id, count(*)::int from network_rewinds group by 1',
  )
  const lines = follows.map(({ network_id: id, method, tick_ms: tickMs }) => {
    const ages = samples.filter(({ networkId }) => networkId === id).map(({ ageMs }) => ageMs)
    const delays = served.find(({ network_id }) => network_id === id)?.delays ?? []
    const { stored } = compared.find(({ networkId }) => networkId === id)!
    return [
      id.padEnd(18),
      `${method}${tickMs === null ? '' : ` each ${tickMs / 1_000} s`}`.padEnd(20),
      `head: ${percentiles(ages)}`.padEnd(40),
      `rows: ${delays.length}, ${percentiles(delays)}`.padEnd(48),
      `calls to nodes: ${world.nodes.callsOf(id)},`,
      `rewinds: ${rewinds.find(({ network_id: one }) => one === id)?.count ?? 0},`,
      `compared: ${stored.transfers.length} transfers, ${stored.balances.length} balances`,
    ].join(' ')
  })
  const accounts = Object.entries(world.nodes.books).map(([name, books]) =>
    [
      name.padEnd(14),
      `${books.spent('day')} units of ${Math.floor(dayAllowance(name))} a day,`,
      [...books.calls].map(([method, count]) => `${method} ${count}`).join(', '),
      `broken: ${JSON.stringify([...books.broken])}`,
    ].join(' '),
  )
  const explorers = Object.entries(world.doubles).map(
    ([name, { asked, refused }]) => `${name}: ${asked.length} requests, ${refused.length} refused`,
  )
  const runs = `runs ${JSON.stringify(worker.runs)}, failed ${worker.failures.length}`
  return [...lines, ...accounts, ...world.nodes.refused(), ...explorers, runs].join('\n')
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => ((sorted[Math.floor(part * (sorted.length - 1))] ?? 0) / 1_000).toFixed(1)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} s`
}
