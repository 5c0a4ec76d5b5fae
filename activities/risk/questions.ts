import type { AskDeps, Questions } from '../source-questions.ts'
import { createRiskSources } from './risk-sources.ts'

/** USD Coin on a network that the source knows. */
const TOKENS = {
  goplus: { blockchain: 'ethereum', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' },
  rugcheck: { blockchain: 'solana', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
} as const

export function riskQuestions(deps: AskDeps): Questions {
  const sources = createRiskSources(deps)
  return Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => [
      name,
      () => sources.find((source) => source.name === name)?.check([token]),
    ]),
  )
}
