import { networks } from './chain/networks.ts'
import type { NetworkId } from './chain/tokens.ts'

export type SandboxConfig = {
  port: number
  seed: number
  /** Factor on the number of operations in the chains' story. */
  scale: number
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
  rpcUrls: Partial<Record<NetworkId, string>>
}

/** Settings of the sandbox processes: PORT, SANDBOX_SEED, SANDBOX_SCALE, RPC_URL_ETHEREUM, RPC_URL_BASE_WALLET. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const rpcUrls: SandboxConfig['rpcUrls'] = {}
  for (const network of networks) {
    const url = env[network.rpcUrlVariable]
    if (url) rpcUrls[network.id] = url
  }
  return {
    port: Number(env['PORT'] ?? 0),
    seed: Number(env['SANDBOX_SEED'] ?? 7),
    scale: Number(env['SANDBOX_SCALE'] ?? 1),
    installation: env['INSTALLATION_ID'] ?? null,
    rpcUrls,
  }
}
