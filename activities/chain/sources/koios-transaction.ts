import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainBlock, ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'
import { hash31 } from './native-transfers.ts'

export const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Lovelace, or base units of a token. */
export const amount = z.string().regex(/^\d+$/).transform(BigInt)
const hexOrEmpty = z
  .string()
  .regex(/^([0-9a-f]{2})*$/)
  .nullish()
  .transform((found) => found ?? '')

/** A token, named by its unit: the policy id followed by the asset name, both in hexadecimal digits. */
export const asset = z
  .object({ policy_id: z.string().regex(/^[0-9a-f]{56}$/), asset_name: hexOrEmpty, quantity: amount })
  .transform((one) => ({ unit: one.policy_id + one.asset_name, raw: one.quantity }))

/** An output, or the output that an input spends. */
const utxo = z
  .object({
    payment_addr: z.object({ bech32: z.string().min(1) }),
    stake_addr: z.string().nullish(),
    tx_hash: hash,
    tx_index: z.int().min(0),
    value: amount,
    asset_list: z.array(asset).nullish(),
  })
  .transform((one) => ({
    address: one.payment_addr.bech32,
    stake: one.stake_addr ?? null,
    place: `${one.tx_hash} ${String(one.tx_index).padStart(5, '0')}`,
    value: one.value,
    assets: (one.asset_list ?? []).toSorted((a, b) => (a.unit < b.unit ? -1 : 1)),
  }))
type Utxo = z.output<typeof utxo>

/** Koios lists the parts of a transaction in no order. The same rows must have the same places whoever reads them. */
const utxos = z.array(utxo).transform((all) => all.toSorted((a, b) => (a.place < b.place ? -1 : 1)))

const certificate = z.object({
  index: z.int().nullish(),
  type: z.string(),
  info: z
    .object({ stake_address: z.string().nullish(), deposit: amount.nullish().catch(null) })
    .nullish()
    .transform((found) => ({ stake: found?.stake_address ?? null, deposit: found?.deposit ?? null })),
})

/** A transaction as tx_info gives it, with inputs, assets, withdrawals and certificates. */
export const koiosTransaction = z.object({
  tx_hash: hash,
  block_hash: hash,
  block_height: z.int().min(0),
  tx_timestamp: z.int(),
  tx_block_index: z.int().min(0),
  fee: amount,
  treasury_donation: amount.nullish().transform((found) => found ?? 0n),
  inputs: utxos,
  outputs: utxos,
  withdrawals: z
    .array(z.object({ amount, stake_addr: z.string() }))
    .nullish()
    .transform((all) => (all ?? []).toSorted((a, b) => (a.stake_addr < b.stake_addr ? -1 : 1))),
  certificates: z
    .array(certificate)
    .nullish()
    .transform((all) => (all ?? []).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))),
})
export type KoiosTransaction = z.output<typeof koiosTransaction>

/** A reward or refund that a stake address has from the first block of an epoch on. */
export const koiosReward = z.object({
  spendable_epoch: z.int().min(0),
  earned_epoch: z.int().min(0),
  amount,
  type: z.string(),
  pool_id_bech32: z.string().nullish(),
})
export type KoiosReward = z.output<typeof koiosReward>

const sumOf = (all: readonly { value: bigint }[]): bigint => all.reduce((sum, { value }) => sum + value, 0n)

type Row = { kind: TransferKind; token: string | null; from: string; to: string; raw: bigint; fanOut: number }

/**
 * The transaction and what it moves. A withdrawal spends what the stake address was credited, as an input does; a
 * deposit is an output to the stake address that locks it, as rent. So what goes in comes out, except the fee and what
 * is given to the treasury. A script that failed took its collateral: Koios lists that as the inputs, and what came back
 * of it as the outputs, so it is a transaction like others.
 */
export function decodeKoios(tx: KoiosTransaction): {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
} {
  const spent: { address: string; value: bigint }[] = [
    ...tx.inputs,
    ...tx.withdrawals.map((one) => ({ address: one.stake_addr, value: one.amount })),
  ]
  const made: { address: string; value: bigint }[] = [...tx.outputs]
  const payer = spent.find(({ value }) => value > 0n)?.address ?? NOBODY
  const locked = sumOf(spent) - sumOf(made) - tx.fee - tx.treasury_donation
  const deposits = spent.length === 0 ? [] : depositsOf(tx, { payer, locked })
  for (const { address, value } of deposits)
    if (value > 0n) made.push({ address, value })
    else spent.push({ address, value: -value })
  const rows: Row[] = [
    ...spent.map((one) => coins('input', { from: one.address, to: NOBODY, raw: one.value })),
    ...made.map((one) => coins('output', { from: NOBODY, to: one.address, raw: one.value })),
    ...deposits.map(({ address, value }) =>
      value > 0n
        ? coins('rent', { from: address, to: NOBODY, raw: value })
        : coins('rent', { from: NOBODY, to: address, raw: -value }),
    ),
    ...tokenRows(tx),
  ]
  const atMs = tx.tx_timestamp * 1_000
  const place = { blockNumber: tx.block_height, blockHash: tx.block_hash, atMs }
  return {
    transaction: {
      ...place,
      hash: tx.tx_hash,
      index: tx.tx_block_index,
      from: payer,
      to: null,
      value: sumOf(spent),
      fee: tx.fee,
      success: true,
      selector: null,
    },
    // The place of a row is its place among all rows, so coins come before tokens.
    transfers: rows
      .map((row, position) => ({ ...place, txHash: tx.tx_hash, item: 0, tokenId: null, position, ...row }))
      .filter(({ raw }) => raw > 0n),
  }
}

const coins = (kind: TransferKind, moved: { from: string; to: string; raw: bigint }): Row => ({
  kind,
  token: null,
  fanOut: 1,
  ...moved,
})

/** What tokens left and what they came to. One with many receivers may be a gift that nobody asked for. */
function tokenRows({ inputs, outputs }: KoiosTransaction): Row[] {
  const receivers = new Map<string, Set<string>>()
  for (const { address, assets } of outputs)
    for (const { unit } of assets) receivers.set(unit, (receivers.get(unit) ?? new Set()).add(address))
  const moves = (all: readonly Utxo[], partyOf: (address: string) => { from: string; to: string }) =>
    all.flatMap(({ address, assets }) =>
      assets.map(({ unit, raw }): Row => ({
        kind: 'issued',
        token: unit,
        fanOut: receivers.get(unit)?.size ?? 1,
        raw,
        ...partyOf(address),
      })),
    )
  return [
    ...moves(inputs, (from) => ({ from, to: NOBODY })),
    ...moves(outputs, (to) => ({ from: NOBODY, to })),
  ]
}

/**
 * Deposits (positive) and refunds (negative) of stake addresses, and of all else that takes one: pools, representatives
 * and proposals, which are those of the payer. Certificates that end a registration do not tell the refund.
 */
function depositsOf(
  { certificates }: KoiosTransaction,
  { payer, locked }: { payer: string; locked: bigint },
): { address: string; value: bigint }[] {
  const told = certificates.flatMap(({ type, info: { stake, deposit } }) =>
    deposit && (type === 'stake_registration' || type === 'drep_registration')
      ? [{ address: stake ?? payer, value: deposit }]
      : [],
  )
  const ended = certificates.flatMap(({ type, info }) =>
    type === 'stake_deregistration' ? (info.stake ?? []) : [],
  )
  const rest = locked - sumOf(told)
  if (rest === 0n) return told
  if (rest > 0n || ended.length === 0) return [...told, { address: payer, value: rest }]
  const each = rest / BigInt(ended.length)
  return [
    ...told,
    ...ended.map((address, i) => ({
      address,
      value: i === 0 ? rest - each * BigInt(ended.length - 1) : each,
    })),
  ]
}

/** Types of credits that give a deposit back; all others are income. */
const REFUNDS = new Set(['refund', 'proposal_refund'])

/**
 * What a stake address was credited with the first block of an epoch: as one transaction without a sender, under the
 * hash of the block.
 */
export function decodeRewards(
  stake: string,
  block: ChainBlock,
  rewards: readonly KoiosReward[],
): { transaction: ChainTransaction; transfers: ChainTransfer[] } {
  const place = { blockNumber: block.number, blockHash: block.hash, atMs: block.atMs }
  return {
    transaction: {
      ...place,
      hash: block.hash,
      index: 0,
      from: NOBODY,
      to: null,
      value: 0n,
      fee: 0n,
      success: true,
      selector: null,
    },
    transfers: rewards.map((one) => ({
      ...place,
      txHash: block.hash,
      kind: REFUNDS.has(one.type) ? 'rent' : 'reward',
      position: hash31(`${stake} ${one.type} ${one.earned_epoch} ${one.pool_id_bech32 ?? ''}`),
      item: 0,
      token: null,
      tokenId: null,
      from: NOBODY,
      to: stake,
      raw: one.amount,
      fanOut: 1,
    })),
  }
}
