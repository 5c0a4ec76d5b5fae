import { bitcoinWallets, hashOf, outsiders } from '../../sandbox/bitcoin/actors.ts'
import type { BitcoinWallet } from '../../sandbox/bitcoin/actors.ts'
import { addressesOf } from '../../sandbox/bitcoin/chain.ts'
import type { BitcoinChain, ConfirmedTx } from '../../sandbox/bitcoin/chain.ts'
import type { Coin, Output, PlannedTx } from '../../sandbox/bitcoin/plan.ts'
import { blockIdOf, rawBlock, rawTransaction } from '../../sandbox/bitcoin/raw.ts'
import type { BlockPlan } from '../../sandbox/bitcoin/raw.ts'

/** A Bitcoin chain that tests fill. */
export interface MemoryBitcoin {
  /** what Esplora serves of it */
  chain: BitcoinChain
  head: () => number
  mine: (...txs: PlannedTx[]) => void
  /** A branch that shares the blocks up to a height. */
  fork: (height: number, branch: string) => MemoryBitcoin
  /** unspent outputs with an address */
  coins: () => Coin[]
}

const START_S = Date.UTC(2026, 10, 1) / 1_000
const GENESIS = '0'.repeat(64)

type MinedBlock = BlockPlan & { id: string }

export function createMemoryBitcoin(first: readonly MinedBlock[] = [], branch = 'main'): MemoryBitcoin {
  const blocks = [...first]
  const confirmed: ConfirmedTx[] = blocks.flatMap(confirmedIn)
  const head = () => blocks.length - 1

  function mine(...txs: PlannedTx[]): void {
    const height = blocks.length
    const plan = { height, previous: blocks.at(-1)?.id ?? GENESIS, at: START_S + 600 * height, branch, txs }
    const block = { ...plan, id: blockIdOf(plan) }
    blocks.push(block)
    confirmed.push(...confirmedIn(block))
  }

  function coins(): Coin[] {
    const spent = new Set(confirmed.flatMap(({ vin }) => vin.map(({ txid, vout }) => `${txid}:${vout}`)))
    return confirmed.flatMap(({ txid, vout }) =>
      vout.flatMap(({ address, value }, index) =>
        address === null || spent.has(`${txid}:${index}`) ? [] : [{ txid, vout: index, address, value }],
      ),
    )
  }

  const chain: BitcoinChain = {
    blockAt: (height) => blocks[height]!,
    heightOfId(id) {
      const height = blocks.findIndex((block) => block.id === id)
      return height < 0 ? null : height
    },
    rawAt: (height) => rawBlock(blocks[height]!),
    at: (height) => confirmed.filter(({ block }) => block.height === height),
    transactionsAt: (height) => 1 + blocks[height]!.txs.length,
    foundAt: (height) => blocks[height]!.at,
    tipAt: head,
    firstHeight: 0,
    of: (address) => confirmed.filter((tx) => addressesOf(tx).has(address)).reverse(),
    waiting: () => [],
    find: (txid) => confirmed.find((tx) => tx.txid === txid) ?? null,
  }

  return {
    chain,
    head,
    mine,
    coins,
    fork: (height, name) => createMemoryBitcoin(blocks.slice(0, height + 1), name),
  }
}

const confirmedIn = ({ txs, ...block }: MinedBlock): ConfirmedTx[] => txs.map((tx) => ({ ...tx, block }))

/** A transaction of the given coins; what is left over is its fee. */
export function transaction(vin: Coin[], vout: Output[]): PlannedTx {
  const sum = (rows: readonly { value: number }[]) => rows.reduce((total, { value }) => total + value, 0)
  return { txid: rawTransaction({ vin, vout }).getId(), at: 0, vin, vout, fee: sum(vin) - sum(vout) }
}

let payments = 0
/** A payment by a person whom nobody tracks. */
export function pay(address: string, value = 10_000): PlannedTx {
  const coin = { txid: hashOf(`coin ${payments++}`), vout: 0, address: outsiders[0]!, value: value + 500 }
  return transaction([coin], [{ address, value }])
}

export const [hardware, cold, old] = bitcoinWallets as [BitcoinWallet, BitcoinWallet, BitcoinWallet]

const KEY_ADDRESSES = [0, 1].map((branch) =>
  Array.from({ length: 300 }, (_, index) => hardware.addressAt(branch as 0 | 1, index)),
)

/** An address of the extended key that a walk over 20 unused ones still finds. */
function keyAddress(on: MemoryBitcoin, random: () => number): string {
  const addresses = KEY_ADDRESSES[Math.floor(random() * 2)]!
  const newest = addresses.findLastIndex((address) => on.chain.of(address, 0).length > 0)
  return addresses[Math.floor(random() * (newest + 16))]!
}

/** A block of payments between wallets and others, some of coins that the same block creates. */
export function mineRandom(on: MemoryBitcoin, random: () => number): void {
  const below = (n: number) => Math.floor(random() * n)
  const receiver = (): string => {
    const kind = random()
    if (kind < 0.2) return cold.name
    if (kind < 0.4) return old.name
    if (kind < 0.7) return keyAddress(on, random)
    return outsiders[below(outsiders.length)]!
  }
  const coins = on.coins()
  const txs: PlannedTx[] = []
  for (let count = below(4); count > 0; count--) {
    const vin = Array.from({ length: Math.min(coins.length, below(4)) }, () =>
      coins.splice(below(coins.length), 1),
    ).flat()
    if (vin.length === 0) {
      txs.push(pay(receiver(), 5_000 + below(100_000)))
    } else {
      const held = vin.reduce((sum, { value }) => sum + value, 0)
      const share = Math.floor((held * 0.9) / 3)
      const vout = Array.from({ length: 1 + below(3) }, () => ({ address: receiver(), value: share }))
      txs.push(transaction(vin, random() < 0.2 ? [...vout, { address: null, value: 0 }] : vout))
    }
    const { txid, vout } = txs.at(-1)!
    vout.forEach(({ address, value }, index) => {
      if (address !== null && value > 1_000) coins.push({ txid, vout: index, address, value })
    })
  }
  on.mine(...txs)
}
