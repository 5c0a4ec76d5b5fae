import { createMood } from './mood.ts'
import { numberOf, ok, type Upstream } from '../upstream.ts'

const day = 86_400
const first = Date.UTC(2018, 1, 1) / 1000
/** The real index has no values for these days. */
const missing = [14, 15, 16].map((date) => Date.UTC(2018, 3, date) / 1000)

/** GET /fng/ of api.alternative.me: `limit=0` returns all days, no limit returns one. Values are text. */
export function createAlternativeMe({ seed }: { seed: number }): Upstream {
  const mood = createMood({ seed, publisher: 'alternative.me' })
  return ({ path, query, now }) => {
    if (path.join('/') !== 'fng') return { status: 404, body: { error: 'Not Found' } }
    const limit = numberOf(query, 'limit', { or: 1, max: 100_000 })
    const days = mood.days({ now, first, missing })
    const data = days.slice(0, limit === 0 ? undefined : limit).map((at, i) => {
      const value = mood.valueOf(at)
      const row = {
        value: String(value),
        value_classification: mood.classOf(value),
        timestamp: String(at),
      }
      return i === 0 ? { ...row, time_until_update: String(day - Math.floor(now % day)) } : row
    })
    return ok({ name: 'Fear and Greed Index', data, metadata: { error: null } })
  }
}
