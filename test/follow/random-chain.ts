import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenApproval, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'
import { ENTRY_POINT, userOperation } from '../upstreams/nodes/user-operation.ts'

export const WALLETS = [address(0xa1), address(0xa2), address(0xa3), address(0xa4)]
export const PEOPLE = [...WALLETS, address(0xb1), address(0xb2)]
const BANK = address(0xd1)
const TOKENS = [address(0xc1), address(0xc2)]

const mint = (move: { token: string; to: string }): TransactionSpec => ({
  ...tokenTransfer({ ...move, from: ZERO_ADDRESS, raw: 10n ** 12n }),
  from: BANK,
})

/** A chain on which everybody has coins. Nothing comes from outside of the blocks, so no balance needs an opening. */
export function fundedChain(): MemoryChain {
  const chain = createMemoryChain({ funds: { [BANK]: 10n ** 30n } })
  chain.mine(
    ...PEOPLE.map((to) => ({ from: BANK, to, value: 10n ** 24n })),
    ...TOKENS.flatMap((token) => PEOPLE.map((to) => mint({ token, to }))),
  )
  return chain
}

const sponsored = (sender: string) => userOperation({ sender, paymaster: BANK, gasCost: 1_000n })

interface RandomChain {
  random: () => number
  /** who sends transactions that fail */
  failing: readonly string[]
}

/** Mines a block of random payments, swaps, approvals, operations of smart accounts and failures between wallets and others. */
export function mineRandom(chain: MemoryChain, { random, failing }: RandomChain): void {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const spec = (): TransactionSpec => {
    const [from, to, token] = [one(PEOPLE), one(PEOPLE), one(TOKENS)]
    const raw = BigInt(1 + Math.floor(random() * 1_000))
    const kind = random()
    if (kind < 0.35) return { from, to, value: raw }
    if (kind < 0.4) return { from: one(failing), to, value: raw, fails: true }
    if (kind < 0.45) return { from, to: null, value: raw }
    // Somebody else may send both, as with a permit or a bundler.
    if (kind < 0.52) return { from: one(PEOPLE), to: token, logs: [tokenApproval({ token, from, to, raw })] }
    if (kind < 0.57) return { from: BANK, to: ENTRY_POINT, logs: [sponsored(from)] }
    const move = tokenTransfer({ token, from, to, raw })
    if (kind < 0.8) return move
    // Somebody else sends the transaction.
    if (kind < 0.9) return { ...move, from: one(PEOPLE) }
    return {
      ...move,
      value: raw,
      logs: [...move.logs!, ...tokenTransfer({ token, from: to, to: one(PEOPLE), raw }).logs!],
    }
  }
  chain.mine(...Array.from({ length: Math.floor(random() * 5) }, spec))
}
