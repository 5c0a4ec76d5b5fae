import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import { networks } from './chain/networks.ts'
import type { NetworkId } from './chain/tokens.ts'

export type SandboxConfig = {
  port: number
  seed: number
  /** Factor on the number of operations in the chains' story. */
  scale: number
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
  /** Unix seconds around which the world is built: histories end there, and listings are counted back from it. */
  anchor: number
  rpcUrls: Partial<Record<NetworkId, string>>
}

/** Settings of the sandbox processes, and RPC_URL_ETHEREUM, RPC_URL_BASE_WALLET. Throws a SettingsError with all that is wrong. */
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
