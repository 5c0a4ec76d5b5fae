import { setTimeout as sleep } from 'node:timers/promises'
import { multicall3 } from '../defi/contracts.ts'
import { operator, type Address } from './actors.ts'
import { call, codeOf, contractOf } from './calls.ts'
import { toHex, type Rpc } from './rpc.ts'
import { tokenOf } from './tokens.ts'

const usdc = tokenOf('base-wallet', 'USDC')
const ether = 10n ** 18n

/** Deploys the sandbox's USDC of Base, and Multicall3 for the facilitator, on an empty automining chain. */
export async function placeUsdc(rpc: Rpc): Promise<void> {
  await rpc.batch([
    ['anvil_autoImpersonateAccount', true],
    ['anvil_setBalance', operator, toHex(1_000n * ether)],
    ['anvil_setCode', usdc.address, codeOf(contractOf[usdc.kind])],
    ['anvil_setCode', multicall3, codeOf('Multicall3')],
  ])
  const data = call('UsdCoin', 'init', [usdc.name, usdc.symbol, usdc.decimals, usdc.feeBps])
  await sent(rpc, data)
}

/** Mints USDC to an address on such a chain. */
export async function mintUsdc(rpc: Rpc, { to, units }: { to: Address; units: bigint }): Promise<void> {
  const data = call('UsdCoin', 'mint', [to, units])
  await sent(rpc, data)
}

async function sent(rpc: Rpc, data: string): Promise<void> {
  const hash = await rpc.call('eth_sendTransaction', { from: operator, to: usdc.address, data })
  while ((await rpc.call('eth_getTransactionReceipt', hash)) === null) await sleep(2)
}
