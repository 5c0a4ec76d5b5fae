import type { AskDeps, Questions } from '../source-questions.ts'
import { createInsightSources } from './insight-sources.ts'

export const insightQuestions = (deps: AskDeps): Questions =>
  Object.fromEntries(
    createInsightSources(deps).indexes.map((index) => [index.name, () => index.history({ days: 1 })]),
  )
