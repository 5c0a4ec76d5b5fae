import { z } from 'zod'
import { batchesOf } from '../../../db/values/batches.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import {
  ACCOUNTS_PER_CALL,
  count,
  createSolanaClient,
  slotNumber,
  withSlot,
} from '../../nodes/solana-client.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { solanaTransaction } from './solana-transaction.ts'
import type { SolanaTransaction } from './solana-transaction.ts'

/** Limit of one call. */
export const SIGNATURES_PER_PAGE = 1_000
const UNSUPPORTED_VERSION = -32015

const signatures = z.array(
  z.object({
    signature: z.string(),
    slot: slotNumber,
    blockTime: z.int().nullish(),
    err: z.unknown().optional(),
  }),
)
/** Where a token account has its amount, in both token programs. Accounts without data answer none. */
const AMOUNT = { offset: 64, length: 8 }
const sliced = withSlot(
  z.array(z.object({ lamports: count, data: z.tuple([z.string(), z.literal('base64')]) }).nullable()),
)

export interface Signature {
  signature: string
  slot: number
}

export type SolanaRpc = ReturnType<typeof createSolanaRpc>

/** The calls of Solana's JSON-RPC that wallets need, all at the commitment `finalized`. */
export function createSolanaRpc(options: { http: HttpClient; url: string }) {
  const { ask, call, blockTime, readTokenAccounts, readMints } = createSolanaClient(options)
  // Raised when a transaction needs it, so any version that the node supports can be read.
  let highestVersion = 0

  /** The newest final slot and its time. */
  async function head(): Promise<{ slot: number; atMs: number }> {
    const slot = await call('getSlot', [{ commitment: 'finalized' }], slotNumber)
    return { slot, atMs: (await blockTime(slot)) * 1_000 }
  }

  /** Transactions that reference an account, newest first, between `before` and `until`, both exclusive. */
  async function readSignatures(query: {
    account: string
    before: string | null
    until: string | null
  }): Promise<Signature[]> {
    const options = {
      limit: SIGNATURES_PER_PAGE,
      commitment: 'finalized',
      ...(query.before !== null && { before: query.before }),
      ...(query.until !== null && { until: query.until }),
    }
    return await call('getSignaturesForAddress', [query.account, options], signatures)
  }

  async function readTransaction(signature: string): Promise<SolanaTransaction> {
    for (;;) {
      const options = {
        encoding: 'jsonParsed',
        commitment: 'finalized',
        maxSupportedTransactionVersion: highestVersion,
      }
      const { result, error } = await ask('getTransaction', [signature, options])
      if (error?.code === UNSUPPORTED_VERSION) {
        const version = Number(/version \((\d+)\)/.exec(error.message)?.[1])
        if (!(version > highestVersion)) throw new SourceRejected(SOLANA, error.message)
        highestVersion = version
        continue
      }
      if (error) throw new SourceRejected(SOLANA, `getTransaction: ${error.message} (${error.code})`)
      if (result === null)
        throw new SourceUnavailable(
          SOLANA,
          `transaction ${signature} is missing: the node lags or has pruned it`,
        )
      const parsed = solanaTransaction.safeParse(result)
      if (parsed.success) return parsed.data
      const { path, message } = parsed.error.issues[0]!
      throw new SourceRejected(SOLANA, `transaction ${signature}: ${path.join('.')}: ${message}`)
    }
  }

  async function readBalance(account: string): Promise<{ lamports: bigint; slot: number }> {
    const found = await call('getBalance', [account, { commitment: 'finalized' }], withSlot(count))
    return { lamports: found.value, slot: found.context.slot }
  }

  /** Lamports and token amounts of accounts, as text, and the slot of the oldest answer. */
  async function readStates(all: readonly string[]): Promise<{ block: number; states: string[] }> {
    const states: string[] = []
    const slots: number[] = []
    for (const part of batchesOf(all, ACCOUNTS_PER_CALL)) {
      const options = { encoding: 'base64', commitment: 'finalized', dataSlice: AMOUNT }
      const { context, value } = await call('getMultipleAccounts', [part, options], sliced)
      if (value.length !== part.length)
        throw new SourceUnavailable(SOLANA, `${value.length} of ${part.length} accounts were answered`)
      slots.push(context.slot)
      states.push(...value.map((one) => (one ? `${one.lamports} ${one.data[0]}` : 'none')))
    }
    return { block: Math.min(...slots), states }
  }

  return {
    head,
    blockTime,
    readSignatures,
    readTransaction,
    readTokenAccounts,
    readBalance,
    readStates,
    readMints,
  }
}
