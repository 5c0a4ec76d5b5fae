import { address } from '../setup/wallet-factories.ts'
import { createRandom } from '../upstreams/double.ts'
import type { FakeClock } from '../upstreams/double.ts'
import { createMemoryChain, GAS_PRICE, tokenTransfer, topicOf } from '../upstreams/nodes/chain.ts'
import type { MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'

export interface DayChain extends MemoryChain {
  /** transactions that concern a wallet of the network */
  made: () => number
}

export const [PAYER, CONTRACT] = [address(0xd1), address(0xd2)]
const TOKENS = [address(0xc1), address(0xc2), address(0xc3)]
const STRANGERS = [address(0xe1), address(0xe2)]
/** A transaction of strangers in so many blocks. The rest are empty: what others do costs a follower bytes. */
const STRANGERS_EVERY = 20
/** What a transaction of a wallet may cost it. */
const GAS = 100_000n * GAS_PRICE

/**
 * A chain that mines by the clock at its network's pace, from some time before it. Wallets get and send native coins
 * and tokens, contracts pay them, and some transactions fail, `perDay` in all.
 */
export function createDayChain(options: {
  chainId: number
  blockMs: number
  clock: Pick<FakeClock, 'now'>
  /** blocks before the clock's start */
  before: number
  wallets: readonly string[]
  perDay: number
  /** Nothing happens to wallets from then on. */
  quietFromMs: number
  seed: number
}): DayChain {
  const { chainId, blockMs, clock, before, wallets, perDay, quietFromMs, seed } = options
  const random = createRandom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const startMs = clock.now()
  const chain = createMemoryChain({
    chainId,
    startSeconds: (startMs - before * blockMs) / 1_000,
    blockSeconds: blockMs / 1_000,
    funds: Object.fromEntries([PAYER, ...STRANGERS].map((rich) => [rich, 10n ** 30n])),
  })
  const perBlock = (perDay * blockMs) / 86_400_000
  let made = 0

  function mineDue(): void {
    const due = before + Math.floor((clock.now() - startMs) / blockMs)
    while (chain.head() < due) {
      const number = chain.head() + 1
      const specs: TransactionSpec[] = []
      // Wallets begin without a history, so their first transactions are of the day.
      const isBusy = number > before && startMs + (number - before) * blockMs < quietFromMs
      if (isBusy && random() < perBlock) specs.push(spec(one(wallets)))
      made += specs.length
      if (number % STRANGERS_EVERY === 0) specs.push({ from: STRANGERS[0]!, to: STRANGERS[1]!, value: 1n })
      chain.mine(...specs)
    }
  }

  function spec(wallet: string): TransactionSpec {
    const [kind, token] = [random(), one(TOKENS)]
    const raw = BigInt(1 + Math.floor(random() * 1_000_000))
    const coins = chain.nativeBalance(wallet, chain.head())
    const held = chain.tokenBalance({ token, owner: wallet }, chain.head())
    const isRich = coins > 2n * GAS
    if (kind < 0.15 && isRich) return { from: wallet, to: one(wallets), value: (coins - GAS) / 2n }
    if (kind < 0.2 && isRich) return { from: wallet, to: CONTRACT, value: 1n, fails: true }
    if (kind < 0.3 && isRich && held > 0n)
      return tokenTransfer({ token, from: wallet, to: one(wallets), raw: held })
    if (kind < 0.6) return tokenTransfer({ token, from: PAYER, to: wallet, raw })
    if (kind < 0.65) return payout(wallet, raw * 10n ** 12n)
    return { from: PAYER, to: wallet, value: raw * 10n ** 12n }
  }

  mineDue()
  return {
    ...chain,
    made: () => made,
    head() {
      mineDue()
      return chain.head()
    },
  }
}

/** A contract pays a wallet, and an event of it names the wallet. */
function payout(wallet: string, value: bigint): TransactionSpec {
  return {
    from: PAYER,
    to: CONTRACT,
    value,
    internals: [{ from: CONTRACT, to: wallet, value }],
    logs: [{ address: CONTRACT, topics: [`0x${'5'.repeat(64)}`, topicOf(wallet)], data: '0x' }],
  }
}
