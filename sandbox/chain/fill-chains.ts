import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxConfig } from '../config.ts'
import { createMarket } from '../market/market.ts'
import { wallets } from './actors.ts'
import { historyDays } from './anvil-args.ts'
import { filledBefore, fillNetwork, placeCode, type FillSummary } from './fill-network.ts'
import { networks } from './networks.ts'
import { planChains } from './plan.ts'
import { createRpc, type Rpc } from './rpc.ts'
import type { NetworkId } from './tokens.ts'

/** Waits for the node: its supervisor restarts it after a kill. */
async function untilUp(rpc: Rpc): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await rpc.call('eth_chainId'))
    } catch (error) {
      if (attempt === 100) throw new Error(`no node answers at ${rpc.url}`, { cause: error })
      await sleep(200)
    }
  }
}

/** Fills both chains with the history of the sandbox, unless they have it, and returns what it made. */
export async function fillChains(config: SandboxConfig, say: (line: string) => void) {
  const filled = await fillNetworks(config, say)
  return {
    wallets: wallets.map(({ address, label }) => ({ address, label })),
    transactions: filled.ethereum.transactions + filled['base-wallet'].transactions,
    ...filled,
  }
}

async function fillNetworks(
  config: SandboxConfig,
  say: (line: string) => void,
): Promise<Record<NetworkId, FillSummary>> {
  const rpcOf = (network: NetworkId): Rpc => {
    const url = config.rpcUrls[network]
    if (!url) throw new Error(`${networks.find((n) => n.id === network)!.rpcUrlVariable} is not set`)
    return createRpc(url)
  }
  const rpcs = { ethereum: rpcOf('ethereum'), 'base-wallet': rpcOf('base-wallet') }
  await Promise.all(Object.values(rpcs).map(untilUp))
  const before = {
    ethereum: await filledBefore(rpcs.ethereum),
    'base-wallet': await filledBefore(rpcs['base-wallet']),
  }
  if (before.ethereum && before['base-wallet']) {
    say('already filled')
    // An older version may have filled it, with contracts that lack functions.
    for (const { id } of networks) await rpcs[id].batch(placeCode(id))
    return { ethereum: before.ethereum, 'base-wallet': before['base-wallet'] }
  }
  const genesis = config.anchor - historyDays * 86_400
  const market = createMarket(config)
  const blocks = planChains({ market, genesis, scale: config.scale })
  say(`planned ${blocks.ethereum.length} blocks on ethereum, ${blocks['base-wallet'].length} on base-wallet`)
  const run = async (network: NetworkId): Promise<FillSummary> => {
    const nowSeconds = (): number => Math.floor(Date.now() / 1000)
    return (
      before[network] ??
      (await fillNetwork({
        rpc: rpcs[network],
        network,
        blocks: blocks[network],
        anchor: config.anchor,
        nowSeconds,
        progress: say,
      }))
    )
  }
  const [ethereum, base] = await Promise.all([run('ethereum'), run('base-wallet')])
  return { ethereum, 'base-wallet': base }
}
