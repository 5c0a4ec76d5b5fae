import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolder } from '../../../cli/folders.ts'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { findTemporal } from '../../../cli/temporal/find-temporal.ts'
import { temporalService } from '../../../cli/temporal/temporal-service.ts'
import { openDb } from '../../../db/connect.ts'
import { startPart } from '../shared/start-part.ts'
import { startChild } from './child.ts'
import type { LoopsTask } from './loops-process.ts'
import type { World } from './world.ts'

const NETWORKS = 8
const SLOW_MS = 12_000
const FAST_MS = 250
const HOUR_S = 3_600
/** Until a server or a worker that has just started does nothing but wait. */
const SETTLE_MS = 20_000
/** Four heartbeats of a loop. */
const WINDOW_MS = 96_000

/** Temporal transactions of a network in a second. */
export interface Loops {
  /** at a block in 12 seconds; at four a second */
  slow: number
  fast: number
  /** what a loop costs that ends and begins anew, which is once in an hour; at most */
  begin: number
}

/**
 * Counts what Temporal's server asks of its database while networks are followed, by its own metrics: less what it asks
 * before that, for a worker that waits and the two loops that derive wallets of all networks.
 */
export async function measureLoops({ postgres, owner, cleanup }: World): Promise<Loops> {
  const database = 'loops'
  await owner.query(`create database ${database} template postgres`)
  const networks = await networksOf(ownerUrl({ ...postgres, database }))
  const choice = await findTemporal({ env: {}, cacheFolder: cacheFolder(), log: () => {} })
  if (!('program' in choice)) throw new Error('Temporal runs elsewhere')
  const [port, metricsPort] = [await freePort(), await freePort()]
  const service = temporalService({ program: choice.program, port })
  await startPart({ ...service, args: [...service.args, '--metrics-port', String(metricsPort)] }, cleanup)
  const url = `postgres://ingest:ingest@127.0.0.1:${postgres.port}/${database}`
  const named = networks.map(({ id, chainId }) => `${id}=${chainId}`).join(',')
  const { child } = await startChild(
    { program: 'loops-process.ts', args: [url, `127.0.0.1:${port}`, named] },
    cleanup,
  )
  const ask = (task: LoopsTask) => child.ask<object>(task)
  const count = () => requestsOf(metricsPort)
  const during = async (work: () => Promise<unknown>): Promise<{ requests: number; seconds: number }> => {
    const [before, beganMs] = [await count(), performance.now()]
    await work()
    return { requests: (await count()) - before, seconds: (performance.now() - beganMs) / 1_000 }
  }
  const rate = async (work: () => Promise<unknown>) => {
    const { requests, seconds } = await during(work)
    return requests / seconds
  }

  await ask({ task: 'derive' })
  await sleep(SETTLE_MS)
  const idle = await rate(() => sleep(WINDOW_MS))
  const begun = await during(async () => {
    await ask({ task: 'follow' })
    await sleep(SETTLE_MS)
  })
  const slow = await rate(() => ask({ task: 'mine', blockMs: SLOW_MS, forMs: WINDOW_MS }))
  const fast = await rate(() => ask({ task: 'mine', blockMs: FAST_MS, forMs: WINDOW_MS }))
  await child.end()
  const begin = begun.requests / networks.length / HOUR_S
  const each = (all: number) => Math.max(0, all - idle) / networks.length + begin
  return { slow: each(slow), fast: each(fast), begin }
}

/** EVM networks with blocks, each with wallets to follow. */
async function networksOf(url: string): Promise<{ id: string; chainId: string }[]> {
  const { pool, close } = openDb({ url, maxConnections: 1, applicationName: 'bench' })
  const { rows } = await pool.query<{ id: string; chainId: string }>(
    `select id, chain_id as "chainId" from networks
     where kind = 'evm' and block_ms is not null and chain_id is not null order by position limit ${NETWORKS}`,
  )
  await pool.query(
    `insert into wallets (address) select '0x' || lpad(to_hex(n), 40, '0') from generate_series(1, 1000) as n`,
  )
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, head_block, synced_at, normalised_block)
     select wallets.id, networks.id, 0, 0, now(), 0 from wallets cross join unnest($1::text[]) as networks (id)`,
    [rows.map(({ id }) => id)],
  )
  await close()
  return rows
}

/**
 * What the server has asked of its database so far, without what it asks every two seconds for itself: the list of
 * namespaces, and the queues of its own workers.
 */
async function requestsOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const lines = [...text.matchAll(/^persistence_requests\{(.*)\} (\S+)$/gm)]
  if (lines.length === 0) throw new Error('the metrics of Temporal have no persistence_requests')
  const asked = lines.filter(([, labels]) => !/"temporal_system"|"ListNamespaces"/.test(labels!))
  return asked.reduce((sum, [, , value]) => sum + Number(value), 0)
}
