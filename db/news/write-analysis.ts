import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'
import { NEWS_LIST_NAMES } from './lists.ts'
import type { Sentiment } from './tables.ts'
import { rebuildAnchors } from './write-anchors.ts'

export interface Analysed {
  id: string
  coinIds: string[]
  sentiment: Sentiment
  score: number
  /** The sentiment before, and the publication time: both decide which lists to rebuild. */
  previousSentiment: string
  publishedAt: Date
}

/** Stores a new analysis of articles. Read them under `lockNews` in the same transaction. */
export async function storeAnalysis(
  transaction: Transaction,
  { items, analysis }: { items: readonly Analysed[]; analysis: string },
): Promise<void> {
  const json = JSON.stringify(
    items.map(({ id, coinIds, sentiment, score }) => ({ id, coin_ids: coinIds, sentiment, score })),
  )
  await sql`
    update news_items as stored
    set coin_ids = given.coin_ids, sentiment = given.sentiment, sentiment_score = given.score, analysis = ${analysis}
    from jsonb_to_recordset(${json}::jsonb)
      as given (id text, coin_ids text[], sentiment text, score double precision)
    where stored.id = given.id`.execute(transaction.db)
  const moved = items
    .filter(({ sentiment, previousSentiment }) => sentiment !== previousSentiment)
    .map(({ publishedAt }) => publishedAt.getTime())
  if (moved.length > 0)
    await rebuildAnchors(transaction, { lists: NEWS_LIST_NAMES, from: new Date(Math.min(...moved)) })
}
