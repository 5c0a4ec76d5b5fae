import { createHash } from 'node:crypto'
import { bech32 } from '@scure/base'
import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'

/** A transaction with its events, as the REST interface of a node gives it. */
export const cosmosTransaction = z.object({
  txhash: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .toLowerCase(),
  height: z.string().regex(/^\d+$/).transform(Number),
  timestamp: z.iso.datetime().transform(Date.parse),
  /** 0: success */
  code: z.int(),
  events: z.array(
    z.object({
      type: z.string(),
      attributes: z
        .array(z.object({ key: z.string(), value: z.string().nullish() }))
        .transform((all) => new Map(all.map(({ key, value }) => [key, value ?? '']))),
    }),
  ),
})
export type CosmosTransaction = z.output<typeof cosmosTransaction>
type Event = CosmosTransaction['events'][number]

export interface CosmosChain {
  /** of addresses: `osmo` */
  prefix: string
  /** of the coin that pays fees and is staked: `uosmo` */
  denom: string
}

/** What the bank of the chain moved from one account to another; '' for coins that are minted or burnt. */
interface Flow {
  from: string
  to: string
  denom: string
  raw: bigint
  /** paid for the transaction, and not by one of its messages */
  isFee: boolean
}

/** Amounts by denomination, in the form of the SDK: `12uatom,5ibc/27394FB…`. */
function parseCoins(text: string): [denom: string, raw: bigint][] {
  return text.split(',').flatMap((one): [string, bigint][] => {
    const found = /^(\d+)([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(one)
    return found ? [[found[2]!, BigInt(found[1]!)]] : []
  })
}

/** The account of a module of the SDK, which nobody has a key of. */
export const moduleAddress = (prefix: string, name: string): string =>
  bech32.encode(prefix, bech32.toWords(createHash('sha256').update(name).digest().subarray(0, 20)))

/**
 * The transaction and what it moves, by what the bank spent and received: so messages of all kinds, of contracts and of
 * other chains count alike. Delegated coins stay the owner's, so delegating and undelegating move nothing. Coins of
 * the distribution module are staking rewards. A failed transaction moves only its fee.
 */
export function createCosmosDecoder({ prefix, denom: native }: CosmosChain) {
  const pools = new Set(
    ['bonded_tokens_pool', 'not_bonded_tokens_pool'].map((name) => moduleAddress(prefix, name)),
  )
  const distribution = moduleAddress(prefix, 'distribution')

  return function decode(tx: CosmosTransaction): {
    transaction: ChainTransaction
    transfers: ChainTransfer[]
  } {
    const flows = flowsOf(tx)
    const payer = payerOf(tx.events)
    const fees = feesOf(flows, payer)
    const place = {
      txHash: tx.txhash,
      blockNumber: tx.height,
      blockHash: String(tx.height),
      atMs: tx.timestamp,
    }
    const transaction: ChainTransaction = {
      hash: tx.txhash,
      blockNumber: tx.height,
      blockHash: place.blockHash,
      atMs: tx.timestamp,
      index: 0,
      from: payer,
      to: null,
      value: 0n,
      fee: fees.get(native) ?? 0n,
      success: tx.code === 0,
      selector: null,
    }
    const rowOf = (kind: TransferKind, position: number, flow: Omit<Flow, 'isFee'>): ChainTransfer => ({
      ...place,
      kind,
      position,
      item: 0,
      token: flow.denom === native ? null : flow.denom,
      tokenId: null,
      from: flow.from,
      to: flow.to,
      raw: flow.raw,
      fanOut: 1,
    })
    const paid = [...fees].flatMap(([denom, raw], i) =>
      denom === native || raw <= 0n ? [] : [rowOf('fee', i, { from: payer, to: NOBODY, denom, raw })],
    )
    const moves = flows.filter(({ from, to, isFee }) => !isFee && !pools.has(from) && !pools.has(to))
    const receivers = Map.groupBy(moves, ({ denom }) => denom)
    const moved = moves.map((flow, i) => {
      const isReward = flow.from === distribution
      const kind = isReward ? 'reward' : flow.denom === native ? 'native' : 'issued'
      const fanOut = new Set(receivers.get(flow.denom)!.map(({ to }) => to)).size
      return { ...rowOf(kind, i, { ...flow, from: isReward ? NOBODY : flow.from }), fanOut }
    })
    return { transaction, transfers: [...paid, ...moved] }
  }
}

/**
 * What the sender paid by denomination. Some chains hold more and give a part back, so the sum counts. With a
 * granted allowance another account pays, and it is taken for the sender.
 */
function feesOf(flows: readonly Flow[], payer: string): Map<string, bigint> {
  const fees = new Map<string, bigint>()
  for (const { from, to, denom, raw, isFee } of flows) {
    if (!isFee || (from === payer) === (to === payer)) continue
    fees.set(denom, (fees.get(denom) ?? 0n) + (from === payer ? raw : -raw))
  }
  return fees
}

/** Who paid the fee; before version 0.46 of the SDK the first who signed. */
function payerOf(events: readonly Event[]): string {
  const values = (name: string) => events.flatMap(({ attributes }) => attributes.get(name) || [])
  return values('fee_payer')[0] ?? values('acc_seq')[0]?.split('/')[0] ?? NOBODY
}

/**
 * Pairs what an account spent with what the next ones received: the SDK writes `coin_spent`, then a `coin_received` for
 * each receiver. What has no pair was burnt or minted.
 */
function flowsOf({ events, code }: CosmosTransaction): Flow[] {
  const flows: Flow[] = []
  const isOfMessage = messageTest(events)
  let spent: { from: string; left: Map<string, bigint>; isFee: boolean } | null = null
  const burn = () => {
    for (const [denom, raw] of spent?.left ?? [])
      if (raw > 0n) flows.push({ from: spent!.from, to: NOBODY, denom, raw, isFee: spent!.isFee })
    spent = null
  }
  events.forEach(({ type, attributes }, index) => {
    const coins = parseCoins(attributes.get('amount') ?? '')
    const isFee = code !== 0 || !isOfMessage(index)
    if (type === 'coin_spent') {
      burn()
      spent = { from: attributes.get('spender') ?? NOBODY, left: new Map(coins), isFee }
    }
    if (type !== 'coin_received') return
    const to = attributes.get('receiver') ?? NOBODY
    for (const [denom, raw] of coins) {
      const left = spent?.left.get(denom) ?? 0n
      const paired = left < raw ? left : raw
      spent?.left.set(denom, left - paired)
      if (paired > 0n) flows.push({ from: spent!.from, to, denom, raw: paired, isFee })
      if (raw > paired) flows.push({ from: NOBODY, to, denom, raw: raw - paired, isFee })
    }
  })
  burn()
  return flows
}

/** Events of messages carry `msg_index`; before version 0.50 they only come after the first that names an action. */
function messageTest(events: readonly Event[]): (index: number) => boolean {
  if (events.some(({ attributes }) => attributes.has('msg_index')))
    return (index) => events[index]!.attributes.has('msg_index')
  const first = events.findIndex(({ type, attributes }) => type === 'message' && attributes.has('action'))
  return (index) => first >= 0 && index >= first
}
