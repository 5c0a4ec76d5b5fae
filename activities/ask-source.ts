import { AREAS } from './all-areas.ts'
import { SourceRejected } from './errors.ts'
import type { AskDeps } from './source-questions.ts'

/**
 * Sends a source that is on one small request, within its rate limit, and parses the answer as the ingestion
 * does. Throws SourceUnavailable or SourceRejected. Returns false if the source has no cheap request.
 */
export async function askSource(name: string, deps: AskDeps): Promise<boolean> {
  if (!deps.config.sources[name]) throw new SourceRejected(name, 'this source is off')
  const area = AREAS.find(({ sources }) => sources.some((source) => source.name === name))
  const questions = await area?.questions?.()
  const answer = questions?.(deps)[name]?.()
  await answer
  return answer !== undefined
}
