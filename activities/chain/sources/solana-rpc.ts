import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { createSolanaCall, SOLANA } from '../../solana-call.ts'
import { solanaTransaction } from './solana-transaction.ts'
import type { SolanaTransaction } from './solana-transaction.ts'

/** Limit of one call. */
export const SIGNATURES_PER_PAGE = 1_000
const ACCOUNTS_PER_CALL = 100
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

const UNSUPPORTED_VERSION = -32015

const count = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
const slotNumber = z.int().min(0)
const signatures = z.array(
  z.object({
    signature: z.string(),
    slot: slotNumber,
    blockTime: z.int().nullish(),
    err: z.unknown().optional(),
  }),
)
const withSlot = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: slotNumber }), value })
const tokenAccounts = withSlot(
  z.array(
    z.object({
      pubkey: z.string(),
      account: z.object({
        data: z.object({
          parsed: z.object({
            info: z.object({ mint: z.string(), tokenAmount: z.object({ amount: count }) }),
          }),
        }),
      }),
    }),
  ),
)
const extension = z.object({ extension: z.string(), state: z.record(z.string(), z.unknown()).optional() })
const mintInfo = z.object({
  data: z.object({
    parsed: z.object({
      type: z.literal('mint'),
      info: z.object({ decimals: z.int().min(0).max(255), extensions: z.array(extension).default([]) }),
    }),
  }),
})
const mints = withSlot(z.array(z.unknown()))

/** Where a token account has its amount, in both token programs. Accounts without data answer none. */
const AMOUNT = { offset: 64, length: 8 }
const sliced = withSlot(
  z.array(z.object({ lamports: count, data: z.tuple([z.string(), z.literal('base64')]) }).nullable()),
)

export interface TokenAccount {
  account: string
  mint: string
  amount: bigint
}

export interface Signature {
  signature: string
  slot: number
}

export type SolanaRpc = ReturnType<typeof createSolanaRpc>

/** The calls of Solana's JSON-RPC that wallets need, all at the commitment `finalized`. */
export function createSolanaRpc({ http, url }: { http: HttpClient; url: string }) {
  const { ask, call } = createSolanaCall({ http, url })
  // Raised when a transaction needs it, so any version that the node supports can be read.
  let highestVersion = 0

  /** The newest final slot and its time. */
  async function head(): Promise<{ slot: number; atMs: number }> {
    const slot = await call('getSlot', [{ commitment: 'finalized' }], slotNumber)
    return { slot, atMs: (await blockTime(slot)) * 1_000 }
  }

  async function blockTime(slot: number): Promise<number> {
    const seconds = await call('getBlockTime', [slot], z.int().nullable())
    if (seconds === null) throw new SourceUnavailable(SOLANA, `slot ${slot} has no time yet`)
    return seconds
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

  /** Token accounts of an owner in both token programs, and the slots of the answers. */
  async function readTokenAccounts(owner: string): Promise<{ accounts: TokenAccount[]; slots: number[] }> {
    const accounts: TokenAccount[] = []
    const slots: number[] = []
    for (const programId of TOKEN_PROGRAMS) {
      const options = { encoding: 'jsonParsed', commitment: 'finalized' }
      const found = await call('getTokenAccountsByOwner', [owner, { programId }, options], tokenAccounts)
      slots.push(found.context.slot)
      for (const { pubkey, account } of found.value) {
        const { mint, tokenAmount } = account.data.parsed.info
        accounts.push({ account: pubkey, mint, amount: tokenAmount.amount })
      }
    }
    return { accounts, slots }
  }

  async function readBalance(account: string): Promise<{ lamports: bigint; slot: number }> {
    const found = await call('getBalance', [account, { commitment: 'finalized' }], withSlot(count))
    return { lamports: found.value, slot: found.context.slot }
  }

  /** Lamports and token amounts of accounts, as text, and the slot of the oldest answer. */
  async function readStates(all: readonly string[]): Promise<{ block: number; states: string[] }> {
    const states: string[] = []
    const slots: number[] = []
    for (let i = 0; i < all.length; i += ACCOUNTS_PER_CALL) {
      const part = all.slice(i, i + ACCOUNTS_PER_CALL)
      const options = { encoding: 'base64', commitment: 'finalized', dataSlice: AMOUNT }
      const { context, value } = await call('getMultipleAccounts', [part, options], sliced)
      if (value.length !== part.length)
        throw new SourceUnavailable(SOLANA, `${value.length} of ${part.length} accounts were answered`)
      slots.push(context.slot)
      states.push(...value.map((one) => (one ? `${one.lamports} ${one.data[0]}` : 'none')))
    }
    return { block: Math.min(...slots), states }
  }

  /** Metadata of mints; names and symbols only from a metadata extension of the mint (Token-2022). */
  async function readMints(addresses: readonly string[]) {
    const found: { address: string; symbol: string | null; name: string | null; decimals: number | null }[] =
      []
    for (let i = 0; i < addresses.length; i += ACCOUNTS_PER_CALL) {
      const part = addresses.slice(i, i + ACCOUNTS_PER_CALL)
      const options = { encoding: 'jsonParsed', commitment: 'finalized' }
      const { value } = await call('getMultipleAccounts', [part, options], mints)
      part.forEach((address, k) => {
        const parsed = mintInfo.safeParse(value[k])
        const { decimals = null, extensions = [] } = parsed.success ? parsed.data.data.parsed.info : {}
        const state = extensions.find((one) => one.extension === 'tokenMetadata')?.state
        found.push({
          address,
          symbol: cleanText(state?.['symbol']),
          name: cleanText(state?.['name']),
          decimals,
        })
      })
    }
    return found
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

/** Postgres rejects NUL; other control characters do not belong in a name either. */
function cleanText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replace(/\p{Cc}/gu, '').trim() : ''
  return text === '' ? null : text.slice(0, 128)
}
