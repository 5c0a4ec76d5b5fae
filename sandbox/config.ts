import { networks } from './chain/networks.ts'
import type { NetworkId } from './chain/tokens.ts'

export type SandboxConfig = {
  port: number
  seed: number
  /** Factor on the number of operations in the chains' story. */
  scale: number
  /** Unix seconds around which the world is built: histories end there, and listings are counted back from it. */
  anchor: number
  rpcUrls: Partial<Record<NetworkId, string>>
}

/**
 * Settings of the sandbox processes: PORT, SANDBOX_ANCHOR, SANDBOX_SEED, SANDBOX_SCALE, RPC_URL_ETHEREUM,
 * RPC_URL_BASE_WALLET.
 */
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
    anchor: Number(env['SANDBOX_ANCHOR'] ?? lastMidnight()),
    rpcUrls,
  }
}

const lastMidnight = (): number => Math.floor(Date.now() / 86_400_000) * 86_400
