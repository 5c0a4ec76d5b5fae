import { scam, solanaTokens, usdc, usdt } from '../solana/tokens.ts'
import { hashText } from '../market/noise.ts'
import { ok, type Upstream } from '../upstream.ts'

const risk = (name: string, level: 'warn' | 'danger', score: number) => ({
  name,
  value: '',
  description: '',
  score,
  level,
})
const issued = [
  risk('Mint Authority still enabled', 'danger', 50_000),
  risk('Freeze Authority still enabled', 'danger', 25_000),
]
const risksOf: Record<string, ReturnType<typeof risk>[]> = {
  [usdc.mint]: [...issued, risk('Mutable metadata', 'warn', 100)],
  [usdt.mint]: issued,
  [scam.mint]: [
    risk('Copycat token', 'danger', 20_000),
    risk('Large Amount of LP Unlocked', 'danger', 11_000),
    risk('Top 10 holders high ownership', 'warn', 6_500),
    risk('Low Liquidity', 'warn', 4_000),
  ],
}

/**
 * Simulates RugCheck's summaries of sandbox mints that have a coin or metadata. Other mints are not indexed.
 */
export function createRugCheck({ seed }: { seed: number }): Upstream {
  return ({ path }) => {
    const [version, tokens, mint, ...rest] = path
    if (version !== 'v1' || tokens !== 'tokens' || rest.join('/') !== 'report/summary')
      return { status: 404, body: { error: 'not found' } }
    const token = solanaTokens.find((t) => t.mint === mint && (t.coinId !== null || t.metadata !== null))
    if (!token) return { status: 404, body: { error: 'unable to generate report' } }
    const risks = risksOf[token.mint] ?? []
    const score = risks.reduce((total, { score: points }) => total + points, 1)
    return ok({
      tokenProgram: token.program,
      tokenType: '',
      risks,
      score,
      score_normalised: Math.min(100, Math.round(Math.log10(score) * 14)),
      lpLockedPct: (hashText(seed, token.mint) % 10_000) / 100,
    })
  }
}
