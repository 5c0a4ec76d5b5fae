import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import { networks } from './chain/networks.ts'
import type { NetworkId } from './chain/tokens.ts'

export type SandboxConfig = {
  port: number
  seed: number
  /** Multiplies the number of operations in the chains' history. */
  scale: number
  /** Sent in a response header, for the supervisor. null: not sent */
  installation: string | null
  /** Unix seconds at which the histories end. Listings are counted back from it. */
  anchor: number
  rpcUrls: Partial<Record<NetworkId, string>>
}

/**
 * Reads the settings of the sandbox processes, including RPC_URL_ETHEREUM and RPC_URL_BASE_WALLET. Throws one
 * SettingsError that lists every problem.
 */
export function readConfig(env: Environment): SandboxConfig {
  const data = readSettings(env, {
    optional: ['PORT', 'SANDBOX_ANCHOR', 'SANDBOX_SEED', 'SANDBOX_SCALE', 'INSTALLATION_ID'],
  })
  const rpcUrls: SandboxConfig['rpcUrls'] = {}
  for (const network of networks) {
    const url = env[network.rpcUrlVariable]
    if (url) rpcUrls[network.id] = url
  }
  return {
    port: data.PORT,
    seed: data.SANDBOX_SEED,
    scale: data.SANDBOX_SCALE,
    installation: data.INSTALLATION_ID ?? null,
    anchor: data.SANDBOX_ANCHOR ?? lastMidnight(),
    rpcUrls,
  }
}

const lastMidnight = (): number => Math.floor(Date.now() / 86_400_000) * 86_400
