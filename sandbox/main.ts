import { configured } from '../ops/settings/configured.ts'
import { nameInstallation } from '../ops/settings/installation-header.ts'
import type { AddressInfo } from 'node:net'
import type { NetworkId } from './chain/tokens.ts'
import { readConfig } from './config.ts'
import { createFaults } from './faults.ts'
import { createSandboxServer } from './server.ts'
import { createWorld } from './world.ts'

const { config } = configured({ config: () => readConfig(process.env) })

const rpcUrls = Object.entries(config.rpcUrls) as [NetworkId, string][]
const mounts = createWorld({ ...config, rpcUrls })
const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: Date.now })
nameInstallation(server, config.installation)
server.listen(config.port, '127.0.0.1', () => {
  console.log(`sandbox: upstreams at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}
