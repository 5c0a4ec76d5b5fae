import type { SourceQuota, SourceSpec } from '../activities/area.ts'
import { limitsOf, planOf, VENDORS } from '../activities/nodes/node-plans.ts'

// What free plans allow, in words, for docs/live.md and "sluice setup".

/** The pace and quota of a source, as workers keep to them. */
export const keptText = (spec: SourceSpec): string =>
  [rateText(spec), ...(spec.quota || spec.nodeCost ? [quotaText(spec)] : [])].join('; ')

/** The pace in each of the ways in which a source can be used. */
export function rateText({
  keyless,
  key,
  ...withKey
}: Pick<SourceSpec, 'keyless' | 'key' | 'requestsPerSecond' | 'burst'>): string {
  const instant = key?.instant
  if (keyless) return `${perSecond(withKey)}; without a key ${perSecond(keyless)}`
  return instant ? `${perSecond(withKey)}; \`${instant.value}\` ${perSecond(instant)}` : perSecond(withKey)
}

/** `5 a second, 10 at once`; below one in ten seconds, by minutes. */
export function perSecond({
  requestsPerSecond: rate,
  burst,
}: {
  requestsPerSecond: number | null
  burst: number | null
}): string {
  if (rate === null || burst === null) return 'no limit known'
  const text = rate < 0.1 ? `${count(rate * 60)} a minute` : `${count(rate)} a second`
  return burst > 1 ? `${text}, ${count(burst)} at once` : text
}

export function quotaText({ quota, keyless, nodeCost, defaultUrl }: SourceSpec): string {
  if (nodeCost && defaultUrl !== null) {
    const { allowance, unit } = planOf(defaultUrl, new Map())
    if (allowance)
      return `${count(allowance.units)} ${unit} a ${allowance.per}, with the nodes of the account`
  }
  if (!quota) return 'none kept'
  return keyless?.quota
    ? `${quotaWords(quota)}; without a key ${quotaWords(keyless.quota)}`
    : quotaWords(quota)
}

function quotaWords({ requests, per, units }: SourceQuota): string {
  const text = `${count(requests)} requests a ${per}`
  return units === undefined ? text : `${text} (${units})`
}

/** The free plans of vendors of nodes. */
export const vendorPlans = (): { vendor: string; rate: string; quota: string }[] =>
  VENDORS.map(({ host, unit }) => {
    const url = `https://${host}`
    const plan = planOf(url, new Map())
    const { rate, allowance } = plan
    // Limits without a cost count calls.
    const calls = limitsOf(url, plan).filter(({ cost }) => cost === undefined)
    const rates = [
      ...calls.map(({ most, perMs }) => `${count((1_000 * most) / perMs)} requests a second`),
      ...(rate ? [`${count(rate.unitsASecond)} ${unit} a second, ${count(rate.burst)} at once`] : []),
    ]
    return {
      vendor: host,
      rate: rates.join('; ') || 'none known',
      quota: allowance ? `${count(allowance.units)} ${unit} a ${allowance.per}` : 'none known',
    }
  })

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })
