import type { Address, Hex } from 'viem'
import { type Environment, readParts, readSettings } from '../../ops/settings/read-settings.ts'
import { SettingsError } from '../../ops/settings/settings-error.ts'

export interface FacilitatorConfig {
  /** 0: any free port. */
  port: number
  /** Node of the sandbox chain that has the id of Base. */
  rpcUrl: string
  /** Private key of the wallet that pays the gas. */
  key: Hex
  /** Wallet that receives test USDC; null: none. */
  testPayer: Address | null
  /** Id in response headers, for the supervisor; null: none. */
  installation: string | null
  logLevel: string
}

/** Reads the environment once. Throws a SettingsError that lists every missing or invalid setting. */
export function readFacilitatorConfig(env: Environment): FacilitatorConfig {
  const { settings, rpcUrl } = readParts({
    settings: () =>
      readSettings(env, {
        required: ['FACILITATOR_KEY'],
        optional: ['FACILITATOR_PORT', 'FACILITATOR_TEST_PAYER', 'INSTALLATION_ID', 'LOG_LEVEL'],
      }),
    rpcUrl: () => readRpcUrl(env),
  })
  return {
    port: settings.FACILITATOR_PORT,
    rpcUrl,
    key: settings.FACILITATOR_KEY as Hex,
    testPayer: (settings.FACILITATOR_TEST_PAYER ?? null) as Address | null,
    installation: settings.INSTALLATION_ID ?? null,
    logLevel: settings.LOG_LEVEL,
  }
}

function readRpcUrl(env: Environment): string {
  const url = env['RPC_URL_BASE_WALLET'] ?? ''
  if (!URL.canParse(url))
    throw new SettingsError(['RPC_URL_BASE_WALLET is not a URL. Set it to the URL of the node.'])
  return url
}
