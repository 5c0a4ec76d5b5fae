import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import { limitsOf, planOf, VENDORS } from '../activities/nodes/node-plans.ts'
import { PUBLIC_NODES } from '../activities/nodes/public-nodes.ts'
import { printTable, replaceTables } from './page-tables.ts'

const SOURCES: readonly SourceSpec[] = AREAS.flatMap(({ sources }) => sources)

/** Returns docs/live.md with fresh tables of sources, keys and nodes. */
export const printLive = (page: string): string =>
  replaceTables(page, {
    Keys: keyTable(),
    Sources: sourceTable(),
    'Plans of nodes': planTable(),
    'Public nodes': nodeTable(),
  })

function sourceTable(): string {
  const rows = AREAS.flatMap((area) =>
    area.sources.map((spec) => [
      `\`${spec.name}\``,
      area.name,
      planText(spec),
      rateText(spec),
      quotaText(spec),
      spec.meaning,
      spec.without,
    ]),
  )
  return printTable(['Source', 'Area', 'Plan', 'Rate', 'Quota', 'What for', 'Without it'], rows)
}

function planText({ key, defaultUrl, urlVariable }: SourceSpec): string {
  if (defaultUrl === null) return `off until \`${urlVariable}\` is set`
  if (!key) return 'no key'
  return key.isRequired ? 'needs a key' : 'with or without a key'
}

function keyTable(): string {
  const rows = SOURCES.flatMap((spec) =>
    spec.key ? [[`\`${spec.key.variable}\``, spec.key.gives, keptText(spec), spec.key.from]] : [],
  )
  return printTable(
    ['Variable', 'What it gives', 'Free plan, as Sluice keeps to it', 'Where to get it'],
    rows,
  )
}

const keptText = (spec: SourceSpec): string =>
  [rateText(spec), ...(spec.quota ? [quotaText(spec)] : [])].join('; ')

/** The pace in each of the ways in which a source can be used. */
function rateText({ keyless, key, ...withKey }: SourceSpec): string {
  const instant = key?.instant
  if (keyless) return `${perSecond(withKey)}; without a key ${perSecond(keyless)}`
  return instant ? `${perSecond(withKey)}; \`${instant.value}\` ${perSecond(instant)}` : perSecond(withKey)
}

/** Below one in ten seconds, by minutes. */
function perSecond({ requestsPerSecond: rate, burst }: { requestsPerSecond: number; burst: number }): string {
  const text = rate < 0.1 ? `${count(rate * 60)} a minute` : `${count(rate)} a second`
  return burst > 1 ? `${text}, ${count(burst)} at once` : text
}

function quotaText({ quota }: SourceSpec): string {
  if (!quota) return 'none kept'
  const text = `${count(quota.requests)} requests a ${quota.per}`
  return quota.units === undefined ? text : `${text} (${quota.units})`
}

function planTable(): string {
  const rows = VENDORS.map(({ host, unit }) => {
    const url = `https://${host}`
    const plan = planOf(url, new Map())
    const { rate, allowance } = plan
    // Limits without a cost count calls.
    const calls = limitsOf(url, plan).filter(({ cost }) => cost === undefined)
    const rates = [
      ...calls.map(({ most, perMs }) => `${count((1_000 * most) / perMs)} requests a second`),
      ...(rate ? [`${count(rate.unitsASecond)} ${unit} a second, ${count(rate.burst)} at once`] : []),
    ]
    return [
      host,
      rates.join('; ') || 'none known',
      allowance ? `${count(allowance.units)} ${unit} a ${allowance.per}` : 'none known',
    ]
  })
  return printTable(['Vendor', 'Rate', 'Quota'], rows)
}

const nodeTable = (): string =>
  printTable(
    ['Network', 'Nodes, in the order in which they are asked'],
    Object.entries(PUBLIC_NODES).map(([network, urls]) => [network, urls.map(hostOf).join(', ')]),
  )

const hostOf = (url: string): string => new URL(url).host

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })
