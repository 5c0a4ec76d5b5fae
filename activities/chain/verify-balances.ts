import { movedCoins } from '../../db/chain/balances.ts'
import type { BalanceToWrite } from '../../db/chain/balances.ts'
import {
  normaliseFrom,
  ownAddresses,
  readAccounts,
  readPlace,
  wasSynced,
} from '../../db/chain/sync-progress.ts'
import { markToAskAgain } from '../../db/chain/touched.ts'
import { heldTokens } from '../../db/chain/wallet-assets.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { transact } from '../../db/transact.ts'
import { SourceUnavailable } from '../errors.ts'
import type { ChainBlock } from './chain-data.ts'
import { compareBalances } from './compare-balances.ts'
import { mergeCoins } from './merge-coins.ts'
import type { ChainNetwork } from './networks.ts'
import { type NormaliseDeps, normaliseStep } from './normalise-step.ts'
import { ASK_AGAIN_MS, storeInternals } from './store-internals.ts'
import { loadContext } from './wallet-context.ts'
import type { NetworkContext } from './wallet-context.ts'

interface VerifyDeps extends NormaliseDeps {
  network: Pick<ChainNetwork, 'id' | 'source' | 'reorgDepth'>
}

export interface VerifyInput {
  walletId: string
  address: string
  networkId: string
  /** the head that the sync reached */
  headBlock: number
}

/**
 * Reads all balances of a wallet at one block and compares them with its movements. If its native coins do not add
 * up, whoever knows what contracts sent is asked, and an opening makes up what nobody tells. Throws SourceUnavailable
 * if they do not answer now.
 */
export async function verifyBalances(
  deps: VerifyDeps,
  input: VerifyInput,
): Promise<{ balances: number; openings: number }> {
  const { walletId, address, networkId, headBlock } = input
  const { pool, now, network } = deps
  const { source } = network
  const addresses = await ownAddresses(pool, { networkId, address })
  const held = await heldTokens(pool, { networkId, addresses })
  const tokens = held.map((token) => token.address)
  const accounts = await readAccounts(pool, { walletId, networkId })
  const onChain = await source.readBalances({ address, accounts, tokens, headBlock })

  function balancesIn({ assetOf }: NetworkContext) {
    const { coinId, decimals } = assetOf(null)
    const read: BalanceToWrite[] = [{ coinId, token: null, raw: onChain.native, decimals }]
    held.forEach((token, i) => {
      const raw = onChain.tokens[i]
      // A token whose contract does not answer keeps the sum of its movements.
      if (raw !== null && raw !== undefined)
        read.push({ coinId: token.coin_id, token: token.address, raw, decimals: token.decimals })
    })
    return mergeCoins(read)
  }

  const { block } = onChain
  const asked = await explain(deps, { ...input, tokens, balancesIn, block })
  return await transact(pool, async (transaction) => {
    const { client } = transaction
    await lockNetwork(client, { networkId, mode: 'write' })
    const context = await loadContext(client, { networkId, tokens })
    const balances = balancesIn(context)
    const isFirst = !(await wasSynced(client, { walletId, networkId }))
    const { openings, opened } = await compareBalances(transaction, {
      networkId,
      block,
      source: source.name,
      now: now(),
      context,
      wallets: [{ walletId, balances, isWhole: true, isFirst, moved: null, verified: null }],
      mayOpenNative: () => true,
    })
    if (opened.size > 0 && asked !== null)
      await markToAskAgain(client, {
        networkId,
        walletId,
        fromBlock: asked.fromBlock,
        throughBlock: headBlock,
        waitMs: ASK_AGAIN_MS,
      })
    return { balances: balances.filter(({ raw }) => raw !== 0n).length, openings }
  })
}

/**
 * If the native coins of the wallet do not add up, stores and derives what contracts sent to it, of which its follower
 * and its node tell nothing. Returns the first block that somebody has told of; null: nobody was asked, or can tell.
 */
async function explain(
  deps: VerifyDeps,
  input: VerifyInput & {
    tokens: readonly string[]
    balancesIn: (context: NetworkContext) => BalanceToWrite[]
    block: ChainBlock
  },
): Promise<{ fromBlock: number } | null> {
  const { walletId, address, networkId, headBlock, tokens, balancesIn, block } = input
  const { pool, network } = deps
  const { source } = network
  if (!source.readInternals) return null
  const context = await loadContext(pool, { networkId, tokens })
  const { coinId } = context.assetOf(null)
  const coins = [{ walletId, coinId, since: block.number }]
  const [moved] = await movedCoins(pool, { networkId, coins, toBlock: block.number })
  const held = balancesIn(context).find((one) => one.coinId === coinId)!
  if (held.raw === BigInt(moved?.raw ?? 0)) return null
  // Of the blocks below, an explorer has told.
  const { coveredFrom } = await readPlace(pool, { walletId, networkId })
  const fromBlock = Math.max(0, Math.min(coveredFrom ?? headBlock, headBlock + 1 - network.reorgDepth))
  const explanation = await storeInternals(deps, { address, fromBlock, toBlock: headBlock })
  if (explanation === 'later')
    throw new SourceUnavailable(source.name, 'nobody tells at present what contracts sent to the wallet')
  if (explanation === 'unknown') return null
  await normaliseFrom(pool, { walletId, networkId, fromBlock })
  while (!(await normaliseStep(deps, input)).done) continue
  return { fromBlock }
}
