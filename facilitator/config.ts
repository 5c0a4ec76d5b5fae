import type { Address, Hex } from 'viem'

export interface FacilitatorConfig {
  /** 0: any free port. */
  port: number
  /** Node of the sandbox chain that has the id of Base. */
  rpcUrl: string
  /** Of the wallet that pays the gas. */
  key: Hex
  /** Wallet that is given test USDC; null: none. */
  testPayer: Address | null
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
  logLevel: string
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const KEY = /^0x[0-9a-fA-F]{64}$/

/** Reads the environment once. Throws with the names of the variables that are missing or wrong. */
export function readFacilitatorConfig(env: Record<string, string | undefined>): FacilitatorConfig {
  const {
    FACILITATOR_PORT = '0',
    FACILITATOR_KEY = '',
    FACILITATOR_TEST_PAYER,
    RPC_URL_BASE_WALLET = '',
  } = env
  const port = Number(FACILITATOR_PORT)
  const wrong = Object.entries({
    FACILITATOR_PORT: !Number.isInteger(port) || port < 0 || port > 65_535,
    FACILITATOR_KEY: !KEY.test(FACILITATOR_KEY),
    FACILITATOR_TEST_PAYER: FACILITATOR_TEST_PAYER !== undefined && !ADDRESS.test(FACILITATOR_TEST_PAYER),
    RPC_URL_BASE_WALLET: !URL.canParse(RPC_URL_BASE_WALLET),
  }).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
  if (wrong.length > 0) throw new Error(`Set these variables: ${wrong.join(', ')}`)
  return {
    port,
    rpcUrl: RPC_URL_BASE_WALLET,
    key: FACILITATOR_KEY as Hex,
    testPayer: (FACILITATOR_TEST_PAYER ?? null) as Address | null,
    installation: env['INSTALLATION_ID'] ?? null,
    logLevel: env['LOG_LEVEL'] ?? 'info',
  }
}
