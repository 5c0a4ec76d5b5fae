import { openDb } from '../../db/connect.ts'
import { configured } from '../../ops/settings/configured.ts'
import { createLogger } from '../../ops/telemetry/logger.ts'
import { readIssuerConfig } from './config.ts'
import { startIssuer } from './start-issuer.ts'

const { config } = configured({ config: () => readIssuerConfig(process.env) })
const logger = createLogger({ name: 'issuer', level: config.logLevel, tracer: null })
const issuer = await startIssuer(config, {
  database: openDb({ url: config.databaseUrl, maxConnections: 4, applicationName: 'issuer' }),
  logger,
  now: () => new Date(),
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void issuer.close().then(() => process.exit(0)))
