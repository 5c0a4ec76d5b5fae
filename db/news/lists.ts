/** The news lists that are ordered by time, each with the condition of its index. */
export const NEWS_LISTS = {
  latest: 'true',
  bullish: `sentiment = 'bullish'`,
  bearish: `sentiment = 'bearish'`,
  handpicked: 'picked_at is not null',
} as const

export type NewsList = keyof typeof NEWS_LISTS

export const NEWS_LIST_NAMES = Object.keys(NEWS_LISTS) as NewsList[]
