import { pascal, singular } from './openapi-components.ts'
import type { Route } from './route.ts'

/**
 * `GET /coins` is `getCoins`, and a parameter in the path means one of what stands before it:
 * `GET /coins/{coinId}/charts` is `getCoinCharts`.
 */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split('/').filter(Boolean)
  const named = words.flatMap((word, at) => {
    if (word.startsWith('{')) return []
    return [pascal(words[at + 1]?.startsWith('{') ? singular(word) : word)]
  })
  return method.toLowerCase() + named.join('')
}
