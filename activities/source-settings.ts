import type { SourceSettings } from '../db/sources/settings.ts'
import type { AreaSpec, SourceSpec } from './area.ts'
import { AREAS } from './all-areas.ts'
import { defaultUrlOf, hasKey, limitOf, sourceOff } from './config.ts'

type Environment = Record<string, string | undefined>

/** Settings of every source in an environment. */
export const allSourceSettings = (env: Environment): SourceSettings[] =>
  AREAS.flatMap((area) => area.sources.map((spec) => sourceSettings(area, spec, env)))

const urlOf = (spec: SourceSpec, env: Environment) => env[spec.urlVariable] || defaultUrlOf(spec, env)

const quotaOf = (spec: SourceSpec, env: Environment) =>
  (hasKey(spec, env) ? null : spec.keyless?.quota) ?? spec.quota

export function sourceSettings(
  area: Pick<AreaSpec, 'name' | 'freshnessTargetSeconds'>,
  spec: SourceSpec,
  env: Environment,
): SourceSettings {
  const freshnessTargetSeconds = spec.freshnessTargetSeconds ?? area.freshnessTargetSeconds
  if (freshnessTargetSeconds === undefined)
    throw new Error(`${area.name} has a source without a freshness target`)
  return {
    name: spec.name,
    area: area.name,
    missing: sourceOff(spec, env),
    ...limitOf(spec, env),
    freshnessTargetSeconds,
    // The quota applies only to the default URL.
    quota: (urlOf(spec, env) === spec.defaultUrl && quotaOf(spec, env)) || null,
  }
}
