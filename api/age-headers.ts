import type { Answer } from './route.ts'
import { oldest } from './shapes.ts'

/**
 * How old an answer is: X-Price-As-Of is the time of the oldest price on which its present figures rest,
 * X-Data-As-Of that of its oldest data, prices included.
 */
export function ageHeaders({
  asOf,
  priceAsOf,
}: Pick<Answer<unknown>, 'asOf' | 'priceAsOf'>): Record<string, string> {
  const data = oldest([asOf, priceAsOf])
  return {
    ...(data && { 'x-data-as-of': data.toISOString() }),
    ...(priceAsOf && { 'x-price-as-of': priceAsOf.toISOString() }),
  }
}
