import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { type Running, type ServiceSpec, startService } from '../../cli/supervisor/service.ts'
import { facilitatorService } from '../../cli/supervisor/services.ts'
import { call } from '../../sandbox/chain/calls.ts'
import { mintUsdc, placeUsdc } from '../../sandbox/chain/place-usdc.ts'
import { createRpc, type Rpc } from '../../sandbox/chain/rpc.ts'
import { tokenOf } from '../../sandbox/chain/tokens.ts'
import { type Anvil, startAnvil } from './anvil.ts'

export const USDC = tokenOf('base-wallet', 'USDC').address

export interface TestFacilitator {
  /** For X402_FACILITATOR_URL. */
  url: string
  /** For X402_RPC_URL. */
  rpcUrl: string
  anvil: Anvil
  rpc: Rpc
  /** Its process definition, for tests that kill it themselves. */
  spec: ServiceSpec
  /** All output of the facilitator. */
  output: () => string
  /** Creates a wallet with USDC, 100 by default. */
  newPayer: (options?: { usdc?: number }) => Promise<PrivateKeyAccount>
  /** USDC balance in base units. */
  usdcOf: (address: string) => Promise<bigint>
  /** Kills the facilitator. `start` restarts it on the same port. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Stops facilitator and chain. */
  stop: () => Promise<void>
}

/**
 * Starts the embedded facilitator as `npm start` does, with its own chain: anvil with the chain id of Base,
 * instant mining and USDC. Call `stop` after the tests.
 */
export async function startFacilitator(): Promise<TestFacilitator> {
  const anvil = await startAnvil(['--chain-id', '8453', '--order', 'fifo'])
  const rpc = createRpc(anvil.url)
  await placeUsdc(rpc)
  const port = await freePort()
  const spec = facilitatorService({
    port,
    key: generatePrivateKey(),
    payer: privateKeyToAccount(generatePrivateKey()).address,
    env: { PATH: process.env['PATH'] ?? '', RPC_URL_BASE_WALLET: anvil.url },
  })
  const lines: string[] = []
  let running: Running | null = null

  async function start(): Promise<void> {
    const events = { onLine: (line: string) => void lines.push(line), onSpawn: () => {}, onExit: () => {} }
    running = startService(spec, events)
    await running.ready
  }

  async function kill(): Promise<void> {
    if (running) process.kill(running.pid, 'SIGKILL')
    await running?.ended
    running = null
  }

  async function newPayer({ usdc = 100 }: { usdc?: number } = {}): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    await mintUsdc(rpc, { to: account.address, units: BigInt(Math.round(usdc * 1e6)) })
    return account
  }

  async function usdcOf(address: string): Promise<bigint> {
    const data = call('UsdCoin', 'balanceOf', [address])
    return BigInt((await rpc.call('eth_call', { to: USDC, data }, 'latest')) as string)
  }

  async function stop(): Promise<void> {
    await running?.stop()
    await anvil.stop()
  }

  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  const url = `http://127.0.0.1:${port}`
  const output = () => lines.join('\n')
  return { url, rpcUrl: anvil.url, anvil, rpc, spec, output, newPayer, usdcOf, kill, start, stop }
}
