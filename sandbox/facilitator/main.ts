import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { pino } from 'pino'
import { createChainClient, NETWORK } from './chain-client.ts'
import { configured } from '../../ops/settings/configured.ts'
import { nameInstallation } from '../../ops/settings/installation-header.ts'
import { readFacilitatorConfig } from './config.ts'
import { createFacilitatorServer } from './server.ts'
import { createSigner } from './signer.ts'
import { createTestChain } from './test-chain.ts'

// The embedded facilitator. It settles x402 payments with real transactions on the sandbox chain.

const { config } = configured({ config: () => readFacilitatorConfig(process.env) })
const logger = pino({ level: config.logLevel, name: 'facilitator' })
const client = createChainClient(config.rpcUrl)
const signer = createSigner({ client, key: config.key })
const facilitator = new x402Facilitator()
  .register(NETWORK.v2, new ExactEvmScheme(signer))
  .registerV1(NETWORK.v1 as `${string}:${string}`, new ExactEvmSchemeV1(signer))
const ready = createTestChain({ client, signer, payer: config.testPayer, nowMs: Date.now })
await ready()

const server = createFacilitatorServer({ facilitator, ready, logger })
nameInstallation(server, config.installation)
server.listen(config.port, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  logger.warn(
    'payments settle on the local TEST CHAIN of the sandbox, where USDC is worthless. ' +
      'Do not use a real wallet: its signatures are also valid on Base',
  )
  logger.info({ port }, 'facilitator ready')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeIdleConnections()
  })
