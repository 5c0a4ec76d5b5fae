import { countedRequests, regular } from '../requests.ts'
import { FEEDS } from './feeds.ts'

export const newsRequests = countedRequests({
  assumed: {},
  count: () => Promise.resolve({}),
  askings: ({ schedule }) =>
    FEEDS.map(({ name }) =>
      regular({ source: name, what: 'articles', each: 1, seconds: schedule('refresh-news').everySeconds }),
    ),
})
