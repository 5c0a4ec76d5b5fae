import { AREAS } from './all-areas.ts'
import { SourceRejected } from './errors.ts'
import type { AskDeps } from './source-questions.ts'

/**
 * Asks a source that is on for something small, within its allowance, and reads the answer as the ingestion does: throws
 * SourceUnavailable or SourceRejected. False: there is no cheap question to this one.
 */
export async function askSource(name: string, deps: AskDeps): Promise<boolean> {
  if (!deps.config.sources[name]) throw new SourceRejected(name, 'this source is off')
  const area = AREAS.find(({ sources }) => sources.some((source) => source.name === name))
  const questions = await area?.questions?.()
  const answer = questions?.(deps)[name]?.()
  await answer
  return answer !== undefined
}
