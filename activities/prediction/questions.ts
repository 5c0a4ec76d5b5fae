import type { AskDeps, Questions } from '../source-questions.ts'
import { createPredictionSources } from './prediction-sources.ts'

export function predictionQuestions(deps: AskDeps): Questions {
  const sources = createPredictionSources(deps)
  return {
    'polymarket-gamma': () => sources.gamma().events({ closed: false, cursor: null }),
    'polymarket-data': () => sources.data().openInterest([]),
    kalshi: () => sources.kalshi().cutoff(),
    limitless: () => sources.limitless().activeMarkets({ cursor: null }),
    predictit: () => sources.predictit().allMarkets(),
    manifold: () => sources.manifold().openMarkets({ cursor: null }),
  }
}
