import { createPublicClient, erc20Abi, formatUnits, http, parseAbi, parseEventLogs } from 'viem'

// Counts again what wallets did on a chain, from a node and by viem alone. Shares no code with the product.

const WRAPPING = parseAbi(['event Deposit(address indexed account, uint256 value)'])

export interface RecountedTransaction {
  hash: string
  at: Date
  /** Change of each coin without the fee, where there is one. */
  moved: Record<string, number>
  /** In the native coin, of its sender only. */
  fee: number | null
}

export interface Recounted {
  /** Oldest first. */
  transactions: RecountedTransaction[]
  /** At the head, by coin. */
  balances: Record<string, number>
}

interface RecountOptions {
  url: string
  wallets: readonly string[]
  native: string
  /** The coin of each contract. */
  tokens: readonly { address: string; coin: string; decimals: number }[]
  /** Contract of the wrapped native coin, which counts as the native one. */
  wrapped: string
}

/** By wallet. */
export async function recountChain(options: RecountOptions): Promise<Map<string, Recounted>> {
  const { url, wallets, native, tokens, wrapped } = options
  const client = createPublicClient({ transport: http(url) })
  const coinOf = new Map(tokens.map(({ address, coin }) => [address, coin]))
  const decimalsOf = new Map(tokens.map(({ coin, decimals }) => [coin, decimals]))
  const amount = (coin: string, raw: bigint) => Number(formatUnits(raw, decimalsOf.get(coin) ?? 18))
  const amounts = (raws: ReadonlyMap<string, bigint>) =>
    Object.fromEntries(
      [...raws].filter(([, raw]) => raw !== 0n).map(([coin, raw]) => [coin, amount(coin, raw)]),
    )
  const found = new Map(wallets.map((wallet): [string, RecountedTransaction[]] => [wallet, []]))
  const head = await client.getBlockNumber({ cacheTime: 0 })
  for (let blockNumber = 0n; blockNumber <= head; blockNumber++) {
    const block = await client.getBlock({ blockNumber, includeTransactions: true })
    for (const { hash, from, to, value } of block.transactions) {
      const { status, logs, gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      const changes = createChanges(wallets)
      if (status === 'success' && value > 0n) changes.move(native, { from, to, value })
      for (const { address, args } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }))
        changes.move(coinOf.get(address)!, args)
      const ofWrapped = logs.filter(({ address }) => address === wrapped)
      for (const { args } of parseEventLogs({ abi: WRAPPING, logs: ofWrapped }))
        changes.move(native, { from: null, to: args.account, value: args.value })
      for (const wallet of wallets) {
        const own = changes.of(wallet)
        // What others do with it, and changes nothing of it, is no transaction.
        if (wallet !== from && Object.keys(amounts(own ?? new Map())).length === 0) continue
        const fee = wallet === from ? amount(native, gasUsed * effectiveGasPrice) : null
        const at = new Date(Number(block.timestamp) * 1_000)
        found.get(wallet)!.push({ hash, at, moved: amounts(own ?? new Map()), fee })
      }
    }
  }
  const recounted = new Map<string, Recounted>()
  for (const [wallet, transactions] of found) {
    const account = wallet as `0x${string}`
    const raws = new Map([[native, await client.getBalance({ address: account, blockNumber: head })]])
    for (const { address, coin } of tokens) {
      const raw = await client.readContract({
        address: address as `0x${string}`,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
        blockNumber: head,
      })
      raws.set(coin, (raws.get(coin) ?? 0n) + raw)
    }
    recounted.set(wallet, { transactions, balances: amounts(raws) })
  }
  return recounted
}

/** What a transaction changes of each wallet, by coin. */
function createChanges(wallets: readonly string[]) {
  const byWallet = new Map<string, Map<string, bigint>>()
  const add = (party: string | null, coin: string, change: bigint) => {
    const wallet = party?.toLowerCase()
    if (wallet === undefined || !wallets.includes(wallet)) return
    const coins = byWallet.get(wallet) ?? new Map<string, bigint>()
    byWallet.set(wallet, coins.set(coin, (coins.get(coin) ?? 0n) + change))
  }
  return {
    of: (wallet: string) => byWallet.get(wallet),
    move: (coin: string, { from, to, value }: { from: string | null; to: string | null; value: bigint }) => {
      add(from, coin, -value)
      add(to, coin, value)
    },
  }
}
