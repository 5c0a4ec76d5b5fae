import type { Db } from '../db/schema.ts'
import { NODE_AREA, type SourceSettings } from '../db/sources/settings.ts'
import { unitsADay } from './allowance.ts'
import { AREAS } from './all-areas.ts'
import type { IngestConfig } from './ingest-config.ts'
import { nodeSource, planOf as planOfNode } from './nodes/node-plans.ts'
import type { Asking, Counts } from './requests.ts'
import { UP_TO } from './source-allowances.ts'
import { nodeSettings } from './source-settings.ts'

/** What a source is asked for, and how much of it the allowance bears. */
export interface PlannedAsking extends Asking {
  units: number
  /** 0 to 1 */
  borne: number
  /**
   * How old the data gets with what the allowance bears. Where it is read once: how long that takes. null: there is
   * nothing left for it.
   */
  plannedSeconds: number | null
}

/** A day of a source, in what its vendor counts. */
export interface PlannedSource {
  source: string
  /** as the vendor counts; what is read once is not in it */
  units: number
  unit: string
  /** of an even day; null: none is known */
  allowance: number | null
  askings: PlannedAsking[]
}

const DAY_SECONDS = 86_400
const ORDER = ['waiting', 'heads', 'history', 'refresh'] as const

/**
 * Returns what all areas ask their sources for, and what of it the allowances bear. `db` of null: with the counts that
 * each area assumes. Of nodes it has the reads of positions; heads are planned by network. Asks no source.
 */
export async function planRequests(
  db: Db | null,
  {
    config,
    settings,
  }: {
    config: Pick<IngestConfig, 'sources' | 'followedNetworks' | 'rpcUrls' | 'nodeBudgets'>
    settings: readonly SourceSettings[]
  },
): Promise<{ counts: Counts; sources: PlannedSource[] }> {
  const planOf = (source: string) => {
    const on = config.sources[source]
    return on ? (on.plan ?? 'full') : null
  }
  const nodeOf = (networkId: string) => {
    const url = config.rpcUrls[networkId]?.[0]
    if (url === undefined) return null
    const { cost } = planOfNode(url, config.nodeBudgets)
    return { source: nodeSource(networkId, url), unitsOfCall: cost('eth_call') }
  }
  const isFollowed = (networkId: string) => config.followedNetworks.includes(networkId)
  const areas = await Promise.all(
    AREAS.map(async ({ requests, schedules }) => {
      const schedule = (id: string) => schedules.find((one) => one.id === id)!
      return (await requests?.())?.(db, { planOf, schedule, isFollowed, nodeOf })
    }),
  )
  const askings = areas.flatMap((area) => area?.askings ?? []).filter(({ requests }) => requests > 0)
  const isOn = ({ name, area, missing }: SourceSettings) =>
    missing === null && (area === NODE_AREA || planOf(name) !== null)
  const on = [...settings, ...nodeSettings(config)].filter(isOn)
  const sources = on.flatMap((source) => {
    const own = askings.filter((asking) => asking.source === source.name)
    return own.length > 0 ? [planSource(source, own)] : []
  })
  return { counts: Object.assign({}, ...areas.map((area) => area?.counts)) as Counts, sources }
}

type Limits = Pick<SourceSettings, 'name' | 'quota' | 'requestsPerSecond'>

/** What an allowance bears of a day: regular work in the order of priority, then what is read once. */
export function planSource(
  { name, quota, requestsPerSecond }: Limits,
  askings: readonly Asking[],
): PlannedSource {
  const allowance = quota && unitsADay(quota)
  const all = askings.map((asking) => ({ ...asking, units: asking.units ?? asking.requests }))
  const again = all.filter(({ seconds }) => seconds !== null)
  const requests = sumOf(again, 'requests')
  // Who waits for a turn waits whatever the work is.
  const ofPace = requestsPerSecond === null ? 1 : Math.min(1, (requestsPerSecond * DAY_SECONDS) / requests)
  let spent = 0
  const shares = new Map<string, number>()
  for (const work of ORDER) {
    const wanted = ofPace * sumOf(ofWork(again, work), 'units')
    const borne = Math.min(wanted, leftFor(work, { allowance, spent }))
    shares.set(work, wanted === 0 ? 1 : (ofPace * borne) / wanted)
    spent += borne
  }
  const planned = all.map((asking): PlannedAsking => {
    if (asking.seconds !== null) {
      const borne = shares.get(asking.work)!
      return { ...asking, borne, plannedSeconds: borne > 0 ? asking.seconds / borne : null }
    }
    const left = leftFor(asking.work, { allowance, spent })
    const turns = requestsPerSecond === null ? Infinity : requestsPerSecond * DAY_SECONDS - ofPace * requests
    const days = Math.max(asking.units / left, asking.requests / turns)
    return {
      ...asking,
      borne: Math.min(1, 1 / days),
      plannedSeconds: days === Infinity ? null : days * DAY_SECONDS,
    }
  })
  return {
    source: name,
    units: sumOf(again, 'units'),
    unit: quota?.unit ?? 'requests',
    allowance,
    askings: planned,
  }
}

function leftFor(
  work: (typeof ORDER)[number],
  { allowance, spent }: { allowance: number | null; spent: number },
): number {
  if (allowance === null) return Infinity
  return Math.max(0, allowance * (work === 'waiting' ? 1 : UP_TO[work]) - spent)
}

type Counted = Asking & { units: number }
const ofWork = (askings: readonly Counted[], work: string) => askings.filter((one) => one.work === work)
const sumOf = (askings: readonly Counted[], field: 'requests' | 'units'): number =>
  askings.reduce((sum, asking) => sum + asking[field], 0)
