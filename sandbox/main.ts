import { configured } from '../settings/configured.ts'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { historyDays } from './chain/anvil-args.ts'
import { createRpc } from './chain/rpc.ts'
import type { NetworkId } from './chain/tokens.ts'
import { readConfig } from './config.ts'
import { createFaults } from './faults.ts'
import { createSandboxServer } from './server.ts'
import { createWorld } from './world.ts'

const { config } = configured({ config: () => readConfig(process.env) })

// Listings are counted back from the instant at which the chain's history ended, so that both stay together for ever.
async function anchorOf(rpcUrl: string | undefined): Promise<number> {
  if (!rpcUrl) return Math.floor(Date.now() / 86_400_000) * 86_400
  for (let attempt = 1; ; attempt++) {
    try {
      const block = (await createRpc(rpcUrl).call('eth_getBlockByNumber', '0x0', false)) as {
        timestamp: string
      }
      return Number(block.timestamp) + historyDays * 86_400
    } catch (error) {
      if (attempt === 100) throw new Error(`sandbox: no chain at ${rpcUrl}`, { cause: error })
      await sleep(100)
    }
  }
}

const anchor = await anchorOf(config.rpcUrls.ethereum)
const rpcUrls = Object.entries(config.rpcUrls) as [NetworkId, string][]
const mounts = createWorld({ seed: config.seed, anchor, rpcUrls })
const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: Date.now })
const { installation } = config
if (installation !== null)
  server.prependListener('request', (_request, response) =>
    response.setHeader('x-installation-id', installation),
  )
server.listen(config.port, '127.0.0.1', () => {
  console.log(`sandbox: upstreams at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}
