import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { configured } from '../../ops/settings/configured.ts'
import { nameInstallation } from '../../ops/settings/installation-header.ts'
import { readFacilitatorConfig } from './config.ts'
import { createFacilitator } from './create-facilitator.ts'

// The embedded facilitator. It settles x402 payments with real transactions on the sandbox chain.

const { config } = configured({ config: () => readFacilitatorConfig(process.env) })
const logger = pino({ level: config.logLevel, name: 'facilitator' })
const server = await createFacilitator({ ...config, logger })
nameInstallation(server, config.installation)
// Said before anybody can pay.
logger.warn(
  'payments settle on the local TEST CHAIN of the sandbox, where USDC is worthless. ' +
    'Do not use a real wallet: its signatures are also valid on Base',
)
server.listen(config.port, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  logger.info({ port }, 'facilitator ready')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeIdleConnections()
  })
