import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import type { Coin, PlannedTx } from '../../sandbox/bitcoin/plan.ts'
import { createMemoryBitcoin, pay, transaction } from '../follow/memory-bitcoin.ts'
import type { MemoryBitcoin } from '../follow/memory-bitcoin.ts'
import { address } from '../setup/wallet-factories.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from '../upstreams/blockscout.ts'
import { createRandom } from '../upstreams/double.ts'
import type { FakeClock } from '../upstreams/double.ts'
import { startEsplora } from '../upstreams/esplora.ts'
import { ETHERSCAN_KEY, startEtherscan } from '../upstreams/etherscan.ts'
import { startRoutescan } from '../upstreams/routescan.ts'
import { createDayChain } from './day-chain.ts'
import type { DayChain } from './day-chain.ts'
import { startDayNodes } from './day-nodes.ts'

export interface DayNetwork {
  id: string
  chainId: number
  blockMs: number
  hosts: readonly string[]
  /** Ends as section 3.4 of the facts about live services says: nobody tells what contracts send. */
  hasExplorer: boolean
}

/** The free-key set: a key of Alchemy, dRPC without one, and the chain's own node. */
const NETWORKS: readonly DayNetwork[] = [
  {
    id: 'ethereum',
    chainId: 1,
    blockMs: 12_000,
    hosts: ['eth-mainnet.g.alchemy.com', 'eth.drpc.org'],
    hasExplorer: true,
  },
  {
    id: 'binancesmartchain',
    chainId: 56,
    blockMs: 450,
    hosts: ['bsc.drpc.org', 'bnb-mainnet.g.alchemy.com'],
    hasExplorer: false,
  },
  {
    id: 'base-wallet',
    chainId: 8453,
    blockMs: 2_000,
    hosts: ['base.drpc.org', 'base-mainnet.g.alchemy.com'],
    hasExplorer: true,
  },
  {
    id: 'polygon-wallet',
    chainId: 137,
    blockMs: 2_000,
    hosts: ['polygon.drpc.org', 'polygon-mainnet.g.alchemy.com'],
    hasExplorer: true,
  },
  {
    id: 'arbitrum-wallet',
    chainId: 42161,
    blockMs: 250,
    hosts: ['arbitrum.drpc.org', 'arb-mainnet.g.alchemy.com'],
    hasExplorer: true,
  },
]

/** Blocks that a chain has before the day: more than may be replaced. */
const BLOCKS_BEFORE = 400
/** More than a node without an explorer is asked for, as on the real chain. */
const BLOCKS_BEFORE_ALONE = 101_000
const BITCOIN_START_S = Date.UTC(2026, 10, 1) / 1_000
const EVM_WALLETS = 900
const NETWORKS_PER_WALLET = 2
const BITCOIN_WALLETS = 100
/** Part of Bitcoin's transactions that spend what a wallet received. */
const SPENDS = 0.4
/** satoshis */
const BITCOIN_FEE = 500
/** Addresses of each EVM network that somebody asks for during the day. */
const NEWCOMERS = 6

export interface DayEvm extends DayNetwork {
  chain: DayChain
  wallets: string[]
  newcomers: string[]
}

/** Six networks at their own pace, the doubles of what they are read from, and who is tracked on them. */
export async function startDayWorld(options: {
  clock: FakeClock
  /** transactions of a network's wallets in a day */
  perDay: number
  /** Nothing happens to wallets from then on. */
  quietFromMs: number
}) {
  const { clock, perDay, quietFromMs } = options
  const wallets = Array.from({ length: EVM_WALLETS }, (_, i) => address(0xa_0000 + i))
  const networks = NETWORKS.map((network, n): DayEvm => {
    const own = wallets.filter((_, i) =>
      Array.from({ length: NETWORKS_PER_WALLET }, (_, k) => (i + 2 * k) % NETWORKS.length).includes(n),
    )
    const newcomers = Array.from({ length: NEWCOMERS }, (_, i) => address(0xb_0000 + 100 * n + i))
    const chain = createDayChain({
      ...network,
      clock,
      before: network.hasExplorer ? BLOCKS_BEFORE : BLOCKS_BEFORE_ALONE,
      wallets: [...own, ...newcomers],
      perDay,
      quietFromMs,
      seed: n + 1,
    })
    return { ...network, chain, wallets: own, newcomers }
  })
  const chains = networks.map(({ chain }) => chain)
  const nodes = await startDayNodes({ clock, networks })
  const etherscan = await startEtherscan({ clock, chains })
  const blockscout = await startBlockscoutPro({ clock, chains })
  const routescan = await startRoutescan({ clock, chains })
  const bitcoin = dayBitcoin({ clock, perDay, quietFromMs, count: BITCOIN_WALLETS })
  const upstream = createEsplora(() => bitcoin.chain.chain)
  const esplora = await startEsplora({
    clock,
    chain: (request) => {
      bitcoin.mineDue()
      return upstream(request)
    },
  })
  const doubles = { etherscan, blockscout, routescan, esplora }
  return {
    networks,
    bitcoin,
    nodes,
    doubles,
    urls: {
      etherscan: { url: etherscan.apiUrl, key: ETHERSCAN_KEY },
      blockscout: { url: blockscout.url, key: BLOCKSCOUT_KEY },
      routescan: { url: routescan.networkUrl, key: null },
      esplora: { url: esplora.url, key: null },
    },
    async stop() {
      await nodes.stop()
      for (const double of Object.values(doubles)) await double.stop()
    },
  }
}

export type DayWorld = Awaited<ReturnType<typeof startDayWorld>>

/** Wallets receive from others, and some pass on what they received, less a fee. */
export function dayBitcoin(options: {
  clock: FakeClock
  perDay: number
  quietFromMs: number
  /** addresses, the first ones of one key */
  count: number
}) {
  const { clock, perDay, quietFromMs, count: addresses } = options
  const random = createRandom(6)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const { addressAt } = bitcoinAddresses(bitcoinWallets[0]!.name)
  const wallets = Array.from({ length: addresses }, (_, i) => addressAt(0, i)!)
  const chain: MemoryBitcoin = createMemoryBitcoin()
  const startMs = clock.now()
  /** unspent outputs of wallets */
  const coins: Coin[] = []
  let made = 0

  function mineDue(): void {
    const due = Math.floor((clock.now() / 1_000 - BITCOIN_START_S) / 600)
    while (chain.head() < due) {
      const atMs = (BITCOIN_START_S + 600 * (chain.head() + 1)) * 1_000
      const count = atMs > startMs && atMs < quietFromMs ? Math.round((perDay / 144) * 2 * random()) : 0
      chain.mine(...Array.from({ length: count }, next))
      made += count
    }
  }

  function next(): PlannedTx {
    const isSpend = random() < SPENDS && coins.length > 0
    const [coin] = isSpend ? coins.splice(Math.floor(random() * coins.length), 1) : []
    const tx = coin
      ? transaction([coin], [{ address: one(wallets), value: coin.value - BITCOIN_FEE }])
      : pay(one(wallets), 10_000 + Math.floor(random() * 10_000))
    tx.vout.forEach(({ address: to, value }, vout) => {
      if (value > 2 * BITCOIN_FEE) coins.push({ txid: tx.txid, vout, address: to!, value })
    })
    return tx
  }

  mineDue()
  return { chain, wallets, mineDue, made: () => made }
}
