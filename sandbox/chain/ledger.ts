import { createNoise, hashText } from '../market/noise.ts'
import type { Address } from './actors.ts'
import type { SandboxNetwork } from './networks.ts'
import { networks } from './networks.ts'
import type { NetworkId } from './tokens.ts'

type TxKind =
  | (
      | 'setup'
      | 'deposit'
      | 'withdraw'
      | 'transfer'
      | 'swap'
      | 'arbitrage'
      | 'approve'
      | 'wrap'
      | 'unwrap'
      | 'failed'
    )
  | ('airdrop' | 'spam' | 'poison' | 'nft' | 'bridge-out' | 'bridge-in')

export type PlannedTx = {
  kind: TxKind
  from: Address
  to: Address
  valueWei: bigint
  data: `0x${string}`
  gas: bigint
  nonce: number
  tipWei: bigint
  legacy: boolean
  fails: boolean
}

export type PlannedBlock = { at: number; baseFeeWei: bigint; txs: PlannedTx[] }

export type Ledger = ReturnType<typeof createLedger>

const blockGas = 30_000_000n

/**
 * The plan's state of one chain: blocks so far, nonces, and balances that limit what can be spent. Native
 * balances are lower bounds, because gas is counted at its limit.
 */
export function createLedger(options: { network: NetworkId; seed: number; genesis: number }) {
  const network = networks.find((n) => n.id === options.network) as SandboxNetwork
  const noise = createNoise(hashText(options.seed, `${network.id} base fee`))
  const blocks: PlannedBlock[] = []
  const nonces = new Map<Address, number>()
  const held = new Map<string, bigint>()

  function baseFeeWei(at: number): bigint {
    const { low, high } = network.baseFeeWei
    // The difference removes the slow part of the noise, so fees return to their middle.
    const x = 1 / (1 + Math.exp(noise(at - 2 * 86_400) - noise(at)))
    return BigInt(Math.round(low * (high / low) ** x))
  }

  /**
   * The block of an instant, or a later one: block times are multiples of 12 s after genesis and never
   * decrease.
   */
  function blockAt(at: number): PlannedBlock {
    let slot = options.genesis + Math.floor((at - options.genesis) / 12) * 12
    const last = blocks.at(-1)
    if (last && last.at >= slot) {
      if (last.txs.reduce((sum, tx) => sum + tx.gas, 0n) < blockGas) return last
      slot = last.at + 12
    }
    const block = { at: slot, baseFeeWei: baseFeeWei(slot), txs: [] }
    blocks.push(block)
    return block
  }

  const balance = (owner: Address, asset: string): bigint => held.get(`${owner} ${asset}`) ?? 0n

  function add(owner: Address, asset: string, amount: bigint): void {
    held.set(`${owner} ${asset}`, balance(owner, asset) + amount)
  }

  function send(
    at: number,
    tx: Pick<PlannedTx, 'kind' | 'from' | 'to'> &
      Partial<Pick<PlannedTx, 'valueWei' | 'data' | 'gas' | 'fails'>>,
  ): void {
    const block = blockAt(at)
    const nonce = nonces.get(tx.from) ?? 0
    nonces.set(tx.from, nonce + 1)
    const tipWei = block.baseFeeWei / 50n + BigInt(nonce % 7) * (block.baseFeeWei / 200n) + 1n
    const planned = {
      valueWei: 0n,
      data: '0x' as const,
      gas: 21000n,
      fails: false,
      nonce,
      tipWei,
      legacy: nonce % 5 === 4,
      ...tx,
    }
    block.txs.push(planned)
    add(tx.from, 'ETH', -planned.gas * (block.baseFeeWei + tipWei))
    if (planned.fails || planned.valueWei === 0n) return
    add(tx.from, 'ETH', -planned.valueWei)
    add(tx.to, 'ETH', planned.valueWei)
  }

  return {
    network: network.id,
    blocks,
    balance,
    add,
    send,
    nonce: (of: Address): number => nonces.get(of) ?? 0,
  }
}
