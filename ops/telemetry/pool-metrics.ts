import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'

/** Registers metrics for the use of connection pools, read at each scrape. */
export function measurePools(registry: Registry, pools: Readonly<Record<string, pg.Pool>>): void {
  const entries = Object.entries(pools)
  const connections = new Gauge({
    name: 'sluice_postgres_pool_connections',
    help: 'Connections of a pool to Postgres, by state (busy, idle).',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount }] of entries) {
        connections.set({ pool, state: 'busy' }, totalCount - idleCount)
        connections.set({ pool, state: 'idle' }, idleCount)
      }
    },
  })
  const limit = new Gauge({
    name: 'sluice_postgres_pool_connections_max',
    help: 'Maximum number of connections of a pool.',
    labelNames: ['pool'],
    registers: [registry],
  })
  for (const [pool, { options }] of entries) limit.set({ pool }, options.max)
  const waiting = new Gauge({
    name: 'sluice_postgres_pool_waiting',
    help: 'Callers waiting for a connection of a pool.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of entries) waiting.set({ pool }, waitingCount)
    },
  })
}
