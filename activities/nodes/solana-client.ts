import { z } from 'zod'
import { batchesOf } from '../../db/values/batches.ts'
import { SourceUnavailable } from '../errors.ts'
import type { HttpClient } from '../http-client.ts'
import { createSolanaCall, SOLANA } from './solana-call.ts'

export const ACCOUNTS_PER_CALL = 100
export const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

/** u64: values beyond a double's precision come as text. */
export const count = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
export const slotNumber = z.int().min(0)
export const withSlot = <T>(value: z.ZodType<T>) =>
  z.object({ context: z.object({ slot: slotNumber }), value })

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

export interface TokenAccount {
  account: string
  mint: string
  amount: bigint
}

export type SolanaClient = ReturnType<typeof createSolanaClient>

/** The calls of Solana's JSON-RPC that more than one area needs, all at the commitment `finalized`. */
export function createSolanaClient(options: { http: HttpClient; url: string }) {
  const { ask, call } = createSolanaCall(options)

  async function blockTime(slot: number): Promise<number> {
    const seconds = await call('getBlockTime', [slot], z.int().nullable())
    if (seconds === null) throw new SourceUnavailable(SOLANA, `slot ${slot} has no time yet`)
    return seconds
  }

  /** Token accounts of an owner in both token programs, and the slots of the answers. */
  async function readTokenAccounts(
    owner: string,
    { minContextSlot }: { minContextSlot?: number } = {},
  ): Promise<{ accounts: TokenAccount[]; slots: number[] }> {
    const accounts: TokenAccount[] = []
    const slots: number[] = []
    for (const programId of TOKEN_PROGRAMS) {
      const options = {
        encoding: 'jsonParsed',
        commitment: 'finalized',
        ...(minContextSlot !== undefined && { minContextSlot }),
      }
      const found = await call('getTokenAccountsByOwner', [owner, { programId }, options], tokenAccounts)
      slots.push(found.context.slot)
      for (const { pubkey, account } of found.value) {
        const { mint, tokenAmount } = account.data.parsed.info
        accounts.push({ account: pubkey, mint, amount: tokenAmount.amount })
      }
    }
    return { accounts, slots }
  }

  /** Metadata of mints; names and symbols only from a metadata extension of the mint (Token-2022). */
  async function readMints(addresses: readonly string[]) {
    const found: { address: string; symbol: string | null; name: string | null; decimals: number | null }[] =
      []
    for (const part of batchesOf(addresses, ACCOUNTS_PER_CALL)) {
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

  return { ask, call, blockTime, readTokenAccounts, readMints }
}

/** Postgres rejects NUL; other control characters do not belong in a name either. */
function cleanText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replace(/\p{Cc}/gu, '').trim() : ''
  return text === '' ? null : text.slice(0, 128)
}
