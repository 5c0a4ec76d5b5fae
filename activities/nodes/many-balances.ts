import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  multicall3Abi,
  prepareEncodeFunctionData,
} from 'viem'
import type { Hex } from 'viem'
import { batchesOf } from '../../db/values/batches.ts'
import { MULTICALL3 } from '../../db/values/networks/network.ts'
import { SourceRejected } from '../errors.ts'
import type { AskedBalance, RpcClient } from './rpc.ts'
import { readBalances } from './rpc-contracts.ts'
import type { BlockKey } from './rpc-contracts.ts'

/** Accounts in one call. */
export const BALANCES_PER_CALL = 500

/**
 * Balances of many accounts at one block, 500 in a call, in the order asked. null for a token whose contract
 * does not answer. A node or chain without Multicall3 is asked for each of them.
 */
export async function readManyBalances(
  client: RpcClient,
  options: { block: BlockKey; asked: readonly AskedBalance[]; multicall3?: string },
): Promise<(bigint | null)[]> {
  const { block, asked, multicall3 = MULTICALL3 } = options
  const balances: (bigint | null)[] = []
  for (const some of batchesOf(asked, BALANCES_PER_CALL))
    balances.push(...(await readTogether(client, { block, asked: some, multicall3 })))
  // A contract that takes all gas leaves none to those after it.
  const failed = balances.flatMap((balance, i) => (balance === null ? [i] : []))
  for (const [account, all] of Map.groupBy(failed, (i) => asked[i]!.account)) {
    const tokens = all.flatMap((i) => asked[i]!.token ?? [])
    const { native, tokens: raws } = await readBalances(client, { account, tokens, block })
    let next = 0
    for (const i of all) balances[i] = asked[i]!.token === null ? native : (raws[next++] ?? null)
  }
  return balances
}

// Selectors are hashed once, not for each account.
const ethBalance = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance' })
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf' })

/** All null: the call was refused. */
async function readTogether(
  client: RpcClient,
  { block, asked, multicall3 }: { block: BlockKey; asked: readonly AskedBalance[]; multicall3: string },
): Promise<(bigint | null)[]> {
  const calls = asked.map(({ account, token }) => ({
    target: (token ?? multicall3) as Hex,
    allowFailure: true,
    callData:
      token === null
        ? encodeFunctionData({ ...ethBalance, args: [account as Hex] })
        : encodeFunctionData({ ...balanceOf, args: [account as Hex] }),
  }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  try {
    const answer = await client.call('eth_call', { to: multicall3, data }, block)
    const results = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: answer as Hex,
    })
    return results.map(({ success, returnData }) =>
      success && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : null,
    )
  } catch (error) {
    // viem's: there is no such contract on this chain.
    if (error instanceof SourceRejected || error instanceof BaseError) return asked.map(() => null)
    throw error
  }
}
