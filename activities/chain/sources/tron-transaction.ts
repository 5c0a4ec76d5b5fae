import { z } from 'zod'
import { tronAddress } from '../../../db/values/wallet-address.ts'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer } from '../chain-data.ts'
import { decodeLog } from './decode-log.ts'

/** Sun: values beyond a double's precision come as text. */
const sun = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const hexAddress = z
  .string()
  .regex(/^(41)?[0-9a-f]{40}$/)
  .transform(tronAddress)
const digits = z.string().regex(/^[0-9a-f]*$/)

/** A transaction as a node gives it. Fields of a contract that nothing here needs are left out. */
export const tronTransaction = z
  .object({
    txID: hash,
    ret: z.array(z.object({ contractRet: z.string().optional() })).default([]),
    raw_data: z.object({
      contract: z
        .array(
          z.object({
            type: z.string(),
            parameter: z.object({
              value: z.object({
                owner_address: hexAddress,
                to_address: hexAddress.optional(),
                contract_address: hexAddress.optional(),
                // Of other assets too, in other types of contracts.
                amount: sun.optional(),
                call_value: sun.optional(),
                data: digits.optional(),
              }),
            }),
          }),
        )
        .min(1),
    }),
  })
  .transform(({ txID, ret, raw_data: raw }) => {
    const { type, parameter } = raw.contract[0]!
    return {
      hash: txID,
      type,
      // Some plain transfers of the first days have no result.
      success: (ret[0]?.contractRet ?? 'SUCCESS') === 'SUCCESS',
      ...parameter.value,
    }
  })
export type TronTransaction = z.output<typeof tronTransaction>

const log = z.object({
  address: z.string().regex(/^[0-9a-f]{40}$/),
  topics: z.array(digits).default([]),
  data: digits.default(''),
})

/** What a node found when it ran a transaction. */
export const tronInfo = z
  .object({
    blockNumber: z.int().min(0),
    blockTimeStamp: z.int(),
    /** burnt for bandwidth, energy and everything else */
    fee: sun.default(0n),
    log: z.array(log).default([]),
    /** staking rewards that the transaction paid out */
    withdraw_amount: sun.default(0n),
    internal_transactions: z
      .array(
        z.object({
          caller_address: hexAddress,
          transferTo_address: hexAddress,
          // Without tokenId: TRX.
          callValueInfo: z
            .array(z.object({ callValue: sun.optional(), tokenId: z.string().optional() }))
            .default([]),
          rejected: z.boolean().default(false),
        }),
      )
      .default([]),
  })
  .transform(({ internal_transactions: internals, withdraw_amount: reward, ...info }) => ({
    ...info,
    reward,
    internals: internals.flatMap(
      ({ caller_address: from, transferTo_address: to, rejected, callValueInfo }) =>
        rejected
          ? []
          : callValueInfo.flatMap(({ callValue, tokenId }) =>
              tokenId === undefined && callValue ? [{ from, to, value: callValue }] : [],
            ),
    ),
  }))
export type TronInfo = z.output<typeof tronInfo>

/** Types of contracts whose effects only their information tells. */
const RUN_CODE: ReadonlySet<string> = new Set(['TriggerSmartContract', 'CreateSmartContract'])
const PAY_OUT: ReadonlySet<string> = new Set(['WithdrawBalanceContract'])

export const needsInfo = ({ type }: Pick<TronTransaction, 'type'>): boolean =>
  RUN_CODE.has(type) || PAY_OUT.has(type)

/**
 * The transaction and what it moves: TRX, tokens by their logs (TRC-20 has those of ERC-20), and staking rewards.
 * Freezing TRX moves nothing: it stays the owner's. TRC-10 tokens are not read.
 */
export function decodeTronTransaction(
  tx: TronTransaction,
  info: TronInfo,
  { wrapped }: { wrapped: string | null },
): { transaction: ChainTransaction; transfers: ChainTransfer[] } {
  const { hash: txHash, type, success, owner_address: from, amount, call_value: callValue } = tx
  const { blockNumber, blockTimeStamp: atMs } = info
  const isPayment = type === 'TransferContract'
  const to = (isPayment ? tx.to_address : tx.contract_address) ?? null
  const value = (isPayment ? amount : RUN_CODE.has(type) ? callValue : 0n) ?? 0n
  const transaction: ChainTransaction = {
    hash: txHash,
    blockNumber,
    blockHash: String(blockNumber),
    atMs,
    index: 0,
    from,
    to,
    value,
    fee: info.fee,
    success,
    selector: tx.data && tx.data.length >= 8 ? `0x${tx.data.slice(0, 8)}` : null,
  }
  if (!success) return { transaction, transfers: [] }
  const place = {
    txHash,
    blockNumber,
    blockHash: String(blockNumber),
    atMs,
    item: 0,
    token: null,
    tokenId: null,
  }
  const native = { ...place, fanOut: 1 }
  const transfers: ChainTransfer[] = []
  if (value > 0n && to !== null)
    transfers.push({ ...native, kind: 'native', position: 0, from, to, raw: value })
  info.internals.forEach((one, position) =>
    transfers.push({ ...native, kind: 'internal', position, from: one.from, to: one.to, raw: one.value }),
  )
  if (PAY_OUT.has(type) && info.reward > 0n)
    transfers.push({ ...native, kind: 'reward', position: 0, from: NOBODY, to: from, raw: info.reward })
  return { transaction, transfers: [...transfers, ...logTransfers(info, { place, wrapped })] }
}

function logTransfers(
  { log: logs, blockNumber }: TronInfo,
  {
    place,
    wrapped,
  }: {
    place: Omit<ChainTransfer, 'kind' | 'position' | 'from' | 'to' | 'raw' | 'fanOut'>
    wrapped: string | null
  },
): ChainTransfer[] {
  const found = logs.flatMap(({ address, topics, data }, index) =>
    decodeLog(
      {
        address: `0x${address}`,
        topics: topics.map((topic) => `0x${topic}`),
        data: `0x${data}`,
        blockNumber: String(blockNumber),
        blockHash: place.blockHash,
        transactionHash: place.txHash,
        logIndex: String(index),
      },
      { wrapped, nativeToken: null },
    ),
  )
  const receivers = Map.groupBy(
    found.filter(({ kind }) => kind !== 'approval'),
    ({ token }) => token,
  )
  return found.map(({ token, from, to, ...one }) => ({
    ...place,
    ...one,
    token: tronAddress(token),
    from: tronAddress(from),
    to: tronAddress(to),
    fanOut: new Set(receivers.get(token)?.map((other) => other.to)).size || 1,
  }))
}
