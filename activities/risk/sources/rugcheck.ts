import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { parseExactJson } from '../../exact-json.ts'
import type { Answer } from '../../http-client.ts'
import type { HttpClient } from '../../http-client.ts'
import { describeIssues } from '../../parse-rows.ts'

export const RUGCHECK = 'rugcheck'

const report = z.object({
  risks: z
    .array(z.object({ name: z.string().min(1).max(200), level: z.string().max(20).nullish() }))
    .nullish()
    .transform((risks) => risks ?? []),
  /** 0 to 100, higher is riskier. */
  score_normalised: z.number().min(0).max(100).nullish(),
  lpLockedPct: z.number().nullish(),
})

/** A report on a mint. It names the risks found; other risks may be absent or were not checked. */
export type RugReport = z.output<typeof report>

/**
 * Client of RugCheck's summaries of Solana mints. `summary` returns null for a mint that is not indexed
 * (404).
 */
export function createRugCheck({ http, url }: { http: HttpClient; url: string }) {
  async function summary(mint: string): Promise<RugReport | null> {
    return http.fetchText({
      source: RUGCHECK,
      url: `${url}/v1/tokens/${encodeURIComponent(mint)}/report/summary`,
      read: readReport,
    })
  }

  return { summary }
}

export type RugCheck = ReturnType<typeof createRugCheck>

function readReport({ status, text }: Answer): RugReport | null {
  if (status === 404) return null
  if (status !== 200) throw new SourceRejected(RUGCHECK, `status ${status}: ${text.slice(0, 200)}`)
  let body: unknown
  try {
    body = parseExactJson(text)
  } catch {
    throw new SourceUnavailable(RUGCHECK, `no JSON: ${text.slice(0, 80)}`)
  }
  const parsed = report.safeParse(body)
  if (!parsed.success)
    throw new SourceRejected(RUGCHECK, `unexpected answer: ${describeIssues(parsed.error)}`)
  return parsed.data
}
