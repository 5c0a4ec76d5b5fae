import { z } from 'zod'
import { SourceRejected } from '../errors.ts'
import type { HttpClient } from '../http-client.ts'

export const SOLANA = 'solana'

/**
 * Node behind, block not available yet, too many requests: https://solana.com/docs/rpc, "custom error codes".
 */
const TRANSIENT_CODES = new Set([-32603, -32016, -32014, -32005, -32004, 429])

const answer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
})
export type SolanaAnswer = z.infer<typeof answer>

/** Calls of the JSON-RPC of Solana's node. Adapters of every area use it. */
export function createSolanaCall({ http, url }: { http: HttpClient; url: string }) {
  /** The answer with its error, which may say what to ask instead. */
  async function ask(method: string, params: unknown): Promise<SolanaAnswer> {
    return await http.fetchJson({
      source: SOLANA,
      url,
      body: { jsonrpc: '2.0', id: 1, method, params },
      schema: answer,
      refuse: (body) => {
        const error = (body as { error?: { code?: number; message?: string } } | null)?.error
        const later = TRANSIENT_CODES.has(error?.code ?? 0)
        return later ? { reason: `${method}: ${error?.message} (${error?.code})`, later } : null
      },
    })
  }

  async function call<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T> {
    const { result, error } = await ask(method, params)
    if (error) throw new SourceRejected(SOLANA, `${method}: ${error.message} (${error.code})`)
    const parsed = schema.safeParse(result)
    if (parsed.success) return parsed.data
    throw new SourceRejected(SOLANA, `${method}: unexpected result: ${parsed.error.issues[0]?.message}`)
  }

  return { ask, call }
}
