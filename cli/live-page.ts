import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import { PUBLIC_NODES } from '../activities/nodes/public-nodes.ts'
import { vendorKeys } from './keys.ts'
import { printTable, replaceTables } from './page-tables.ts'
import { quotaText, rateText, vendorPlans } from './plan-text.ts'

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

const keyTable = (): string =>
  printTable(
    ['Variable', 'What it gives', 'Free plan, as Sluice keeps to it', 'Where to get it'],
    vendorKeys().map(({ variable, gives, freePlan, from }) => [`\`${variable}\``, gives, freePlan, from]),
  )

const planTable = (): string =>
  printTable(
    ['Vendor', 'Rate', 'Quota'],
    vendorPlans().map(({ vendor, rate, quota }) => [vendor, rate, quota]),
  )

const nodeTable = (): string =>
  printTable(
    ['Network', 'Nodes, in the order in which they are asked'],
    Object.entries(PUBLIC_NODES).map(([network, urls]) => [network, urls.map(hostOf).join(', ')]),
  )

const hostOf = (url: string): string => new URL(url).host
