import { type KnownSource, readSources } from '../db/console/read-sources.ts'
import type { Db } from '../db/schema.ts'

/**
 * Reads every source with the settings of the worker that started last, which may run elsewhere and have other keys
 * than this shell. Before the first worker: with the settings of this environment.
 */
export async function knownSources(db: Db, env: Record<string, string | undefined>): Promise<KnownSource[]> {
  const stored = await readSources(db)
  if (stored.length > 0) return stored
  const [{ allSourceSettings, nodeSettings }, { readIngestConfig }] = await Promise.all([
    import('../activities/source-settings.ts'),
    import('../activities/config.ts'),
  ])
  return [...allSourceSettings(env), ...nodeSettings(readIngestConfig(env))].map((settings) => ({
    settings,
    health: undefined,
  }))
}
