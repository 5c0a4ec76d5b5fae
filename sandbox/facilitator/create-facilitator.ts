import type { Server } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import type { Logger } from 'pino'
import { createChainClient, NETWORK } from './chain-client.ts'
import type { FacilitatorConfig } from './config.ts'
import { createFacilitatorServer } from './server.ts'
import { createSigner } from './signer.ts'
import { createTestChain } from './test-chain.ts'

type FacilitatorOptions = Pick<FacilitatorConfig, 'rpcUrl' | 'key' | 'testPayer'> & { logger: Logger }

/** Makes the sandbox chain ready for payments. Resolves to the server, which does not listen yet. */
export async function createFacilitator(options: FacilitatorOptions): Promise<Server> {
  const client = createChainClient(options.rpcUrl)
  const signer = createSigner({ client, key: options.key })
  const facilitator = new x402Facilitator()
    .register(NETWORK.v2, new ExactEvmScheme(signer))
    .registerV1(NETWORK.v1 as `${string}:${string}`, new ExactEvmSchemeV1(signer))
  const ready = createTestChain({ client, signer, payer: options.testPayer, nowMs: Date.now })
  await ready()
  return createFacilitatorServer({ facilitator, ready, logger: options.logger })
}
