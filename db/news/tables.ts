import type { Generated } from 'kysely'

export interface NewsSource {
  source: string
  name: string
  web_url: string
  feed_url: string
  image_url: string | null
  etag: string | null
  last_modified: string | null
  created_at: Generated<Date>
  fetched_at: Date
}

export type Sentiment = 'bullish' | 'bearish' | 'neutral'

export interface NewsItem {
  id: string
  source: string
  link: string
  title: string
  summary: string | null
  image_url: string | null
  /** pixels */
  image_width: number | null
  keywords: Generated<string[]>
  has_content: boolean
  /** {kind: count} */
  reactions: Generated<unknown>
  coin_ids: Generated<string[]>
  sentiment: Sentiment
  /** -1 to 1 */
  sentiment_score: number
  analysis: string
  picked_at: Date | null
  published_at: Date
  fetched_at: Date
}

export interface NewsAnchor {
  list: string
  /** position counted from the oldest row of the list, which is 1 */
  rank: number
  published_at: Date
  id: string
}

export interface NewsTrending {
  rank: number
  news_id: string
  score: number
  fetched_at: Date
}

declare module '../schema.ts' {
  interface Database {
    news_sources: NewsSource
    news_items: NewsItem
    news_anchors: NewsAnchor
    news_trending: NewsTrending
  }
}
