import type { SourceSettings } from '../db/sources/settings.ts'
import type { AreaSpec, SourceSpec } from './area.ts'
import { AREAS } from './all-areas.ts'
import { limitOf, sourceOff } from './config.ts'

type Environment = Record<string, string | undefined>

/** Every source as an environment has it. */
export const allSourceSettings = (env: Environment): SourceSettings[] =>
  AREAS.flatMap((area) => area.sources.map((spec) => sourceSettings(area, spec, env)))

const urlOf = ({ urlVariable, defaultUrl }: SourceSpec, env: Environment) => env[urlVariable] || defaultUrl

export function sourceSettings(
  area: Pick<AreaSpec, 'name' | 'freshnessTargetSeconds'>,
  spec: SourceSpec,
  env: Environment,
): SourceSettings {
  return {
    name: spec.name,
    area: area.name,
    missing: sourceOff(spec, env),
    ...limitOf(spec, env),
    freshnessTargetSeconds: spec.freshnessTargetSeconds ?? area.freshnessTargetSeconds,
    // A base URL of one's own has a plan of its own.
    quota: (urlOf(spec, env) === spec.defaultUrl && spec.quota) || null,
  }
}
