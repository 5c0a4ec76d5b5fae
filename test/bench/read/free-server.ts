import { pino } from 'pino'
import { createFirstReads, FIRST_READ_LIMITS } from '../../../api/chain/first-reads.ts'
import { createEventStreams } from '../../../api/events/event-streams.ts'
import { readApiConfig } from '../../../api/config.ts'
import { openPools } from '../../../api/open-pools.ts'
import { routes } from '../../../api/routes.ts'
import { createServer } from '../../../api/server.ts'
import type { Charge } from '../../../db/metering/meter.ts'

/** The API with every check and a meter that charges nothing. */
const config = readApiConfig(process.env)
const pools = openPools(config)
const balance = { granted: 1e15, available: 1e15, periodEndsInS: 1_000 }
const app = createServer({
  routes,
  db: pools.db,
  shares: pools.shares,
  firstReads: createFirstReads({
    db: pools.db,
    syncs: pools.firstSyncs,
    limits: { ...FIRST_READ_LIMITS, waitMs: config.firstReadWaitMs },
  }),
  events: { watching: pools.watching, streams: createEventStreams({ db: pools.db }) },
  sandbox: config.sandbox,
  x402Pricing: config.x402Pricing,
  logger: pino({ level: config.logLevel }),
  meter: {
    ...pools.meter,
    charge: (charges: readonly Charge[]) => Promise.resolve(charges.map(() => ({ paid: true, balance }))),
  },
  now: () => new Date(),
  monotonicMs: () => performance.now(),
})
await app.listen({ host: config.host, port: config.port })
