import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { call } from '../../sandbox/chain/calls.ts'
import { mintUsdc, placeUsdc } from '../../sandbox/chain/place-usdc.ts'
import { createRpc, type Rpc } from '../../sandbox/chain/rpc.ts'
import { tokenOf } from '../../sandbox/chain/tokens.ts'
import { createFacilitator } from '../../sandbox/facilitator/create-facilitator.ts'
import { type Anvil, startAnvil } from './anvil.ts'

export const USDC = tokenOf('base-wallet', 'USDC').address

export interface TestFacilitator {
  /** For X402_FACILITATOR_URL. */
  url: string
  /** For X402_RPC_URL. */
  rpcUrl: string
  anvil: Anvil
  rpc: Rpc
  /** Creates a wallet with USDC, 100 by default. */
  newPayer: (options?: { usdc?: number }) => Promise<PrivateKeyAccount>
  /** USDC balance in base units. */
  usdcOf: (address: string) => Promise<bigint>
  /** Cuts off its clients and stops listening. `start` starts a new facilitator on the same port. */
  end: () => Promise<void>
  start: () => Promise<void>
  /** Stops facilitator and chain. */
  stop: () => Promise<void>
}

/**
 * Starts the embedded facilitator in this process, with its own chain: anvil with the chain id of Base,
 * instant mining and USDC. Call `stop` after the tests.
 */
export async function startFacilitator(): Promise<TestFacilitator> {
  const anvil = await startAnvil(['--chain-id', '8453', '--order', 'fifo'])
  const rpc = createRpc(anvil.url)
  await placeUsdc(rpc)
  const own = { rpcUrl: anvil.url, key: generatePrivateKey(), testPayer: null }
  let server: Server
  let port = 0

  async function start(): Promise<void> {
    server = await createFacilitator({ ...own, logger: pino({ level: 'silent' }) })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }

  async function end(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
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
    await end()
    await anvil.stop()
  }

  await start().catch(async (error: unknown) => {
    await anvil.stop()
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  return { url, rpcUrl: anvil.url, anvil, rpc, newPayer, usdcOf, end, start, stop }
}
