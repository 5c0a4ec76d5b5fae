import { NODE_AREA } from '../db/sources/settings.ts'
import type { SourceSettings } from '../db/sources/settings.ts'
import type { AreaSpec, SourceSpec } from './area.ts'
import { AREAS } from './all-areas.ts'
import type { IngestConfig } from './ingest-config.ts'
import { nodeSource, paceOf, planOf } from './nodes/node-plans.ts'
import { readSettings } from '../ops/settings/read-settings.ts'
import { defaultUrlOf, hasKey, limitOf, sourceOff } from './config.ts'

type Environment = Record<string, string | undefined>

/** Settings of every source in an environment. */
export const allSourceSettings = (env: Environment): SourceSettings[] =>
  AREAS.flatMap((area) => area.sources.map((spec) => sourceSettings(area, spec, env)))

const urlOf = (spec: SourceSpec, env: Environment) => env[spec.urlVariable] || defaultUrlOf(spec, env)

function allowanceOf(spec: SourceSpec, env: Environment): Pick<SourceSettings, 'quota' | 'account'> {
  if (spec.nodeCost) {
    const { NODE_BUDGETS = new Map() } = readSettings(env, { optional: ['NODE_BUDGETS'] })
    const { account, allowance, unit } = planOf(spec.defaultUrl!, NODE_BUDGETS)
    return { account, quota: allowance && { ...allowance, unit } }
  }
  const quota = (hasKey(spec, env) ? null : spec.keyless?.quota) ?? spec.quota
  return { account: null, quota: quota ? { units: quota.requests, per: quota.per, unit: 'requests' } : null }
}

/** The nodes of all networks, as sources. Several keys at one host are one source. */
export function nodeSettings({
  rpcUrls,
  nodeBudgets,
}: Pick<IngestConfig, 'rpcUrls' | 'nodeBudgets'>): SourceSettings[] {
  const nodes = Object.entries(rpcUrls).flatMap(([networkId, urls]) =>
    urls.map((url) => ({ name: nodeSource(networkId, url), url })),
  )
  return [...new Map(nodes.map((node) => [node.name, node])).values()].map(({ name, url }) => {
    const plan = planOf(url, nodeBudgets)
    return {
      name,
      area: NODE_AREA,
      missing: null,
      freshnessTargetSeconds: null,
      ...paceOf(url, plan),
      account: plan.account,
      quota: plan.allowance && { ...plan.allowance, unit: plan.unit },
    }
  })
}

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
    ...(urlOf(spec, env) === spec.defaultUrl ? allowanceOf(spec, env) : { quota: null, account: null }),
  }
}

const COSTS = new Map(AREAS.flatMap(({ sources }) => sources.map(({ name, nodeCost }) => [name, nodeCost])))

/** What a request costs of the allowance of its source. */
export const unitsOf = (source: string, url: string): number =>
  COSTS.get(source)?.(new URL(url).pathname.split('/').at(-1)!) ?? 1
