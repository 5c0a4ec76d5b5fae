import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import type { Meter, Span } from '../meter.ts'
import type { Call } from './answer-call.ts'
import type { Refusal } from './rpc-error.ts'
import type { Vendor } from './vendor.ts'

/** What the accounts of a vendor have used, over all windows of its quotas. Nodes of several networks may share it. */
export interface Books {
  /** The refusal of a whole request; null: it is counted. */
  request: (account: string, calls: readonly Call[]) => Refusal | null
  /** The refusal of one call; null: it is counted. */
  call: (account: string, method: string) => Refusal | null
  /** units of all accounts */
  spent: (span: Span) => number
  /** Spends units as if they had been used elsewhere before. */
  spend: (account: string, units: number) => void
  /** how often each quota refused something, by its name */
  broken: ReadonlyMap<string, number>
  /** calls that were answered, by method */
  calls: ReadonlyMap<string, number>
}

export function createBooks(vendor: Vendor, clock: FakeClock): Books {
  const { quotas, cost, throughput = cost } = vendor
  const meterOf = (of: string): Meter =>
    createMeter(
      clock,
      quotas.filter((quota) => quota.of === of).map(({ limit }) => limit),
    )
  const [requests, units, flow] = [meterOf('requests'), meterOf('units'), meterOf('throughput')]
  const broken = new Map<string, number>()
  const calls = new Map<string, number>()
  // For sums of windows that no quota has.
  const all = createMeter(clock, [
    { name: 'day', most: Infinity, span: 'day' },
    { name: 'month', most: Infinity, span: 'month' },
  ])

  function refusalOf(name: string | undefined, refuses: string): Refusal | null {
    const quota = quotas.find((one) => one.limit.name === name && one.refuses === refuses)
    if (!quota) return null
    broken.set(quota.limit.name, (broken.get(quota.limit.name) ?? 0) + 1)
    return quota.refusal
  }

  return {
    request(account, asked) {
      const sum = asked.reduce((total, { method }) => total + cost(method), 0)
      const over = requests.take(account)?.name ?? units.broken(account, sum)?.name
      return refusalOf(over, 'whole')
    },
    call(account, method) {
      const over = flow.broken(account, throughput(method))?.name
      const refusal = refusalOf(over, 'call')
      if (refusal) return refusal
      flow.count(account, throughput(method))
      units.count(account, cost(method))
      all.count('all', cost(method))
      calls.set(method, (calls.get(method) ?? 0) + 1)
      return null
    },
    spent: (span) => all.spent('all', span),
    spend: (account, used) => units.count(account, used),
    broken,
    calls,
  }
}
