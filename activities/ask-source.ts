import { chainQuestions } from './chain/questions.ts'
import { SourceRejected } from './errors.ts'
import { exchangeQuestions } from './exchanges/questions.ts'
import { insightQuestions } from './insights/questions.ts'
import { newsQuestions } from './news/questions.ts'
import { nftQuestions } from './nft/questions.ts'
import { predictionQuestions } from './prediction/questions.ts'
import { priceQuestions } from './prices/questions.ts'
import { riskQuestions } from './risk/questions.ts'
import type { AskDeps, Questions } from './source-questions.ts'
import { tickerQuestions } from './tickers/questions.ts'

/**
 * Asks a source that is on for something small, within its allowance, and reads the answer as the ingestion does: throws
 * SourceUnavailable or SourceRejected. Null: there is no cheap question to this one.
 */
export function askSource(name: string, deps: AskDeps): Promise<unknown> | null {
  if (!deps.config.sources[name]) throw new SourceRejected(name, 'this source is off')
  const questions: Questions = {
    ...chainQuestions(deps),
    ...exchangeQuestions(deps),
    ...insightQuestions(deps),
    ...newsQuestions(deps),
    ...nftQuestions(deps),
    ...predictionQuestions(deps),
    ...priceQuestions(deps),
    ...riskQuestions(deps),
    ...tickerQuestions(deps),
  }
  return questions[name]?.() ?? null
}
