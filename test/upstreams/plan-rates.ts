import { chainArea } from '../../activities/chain/area.ts'
import { limitOf } from '../../activities/config.ts'
import type { SourceConfig } from '../../activities/ingest-config.ts'

/** Doubles of sources of the chain area, by name, at the rates that a worker in live mode keeps to with these keys. */
export const atPlanRates = (
  on: Record<string, { url: string; key: string | null }>,
): Record<string, SourceConfig> =>
  Object.fromEntries(
    Object.entries(on).map(([name, source]) => {
      const spec = chainArea.sources.find((one) => one.name === name)!
      const env = { SOURCES: 'live', ...(source.key !== null && { [spec.key!.variable]: source.key }) }
      return [name, { ...source, ...limitOf(spec, env) }]
    }),
  )
