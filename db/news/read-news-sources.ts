import type { ReadonlyDb } from '../schema.ts'

export interface ServedNewsSource {
  source: string
  name: string
  web_url: string
  feed_url: string
  image_url: string | null
  created_at: Date
  fetched_at: Date
  /** Failed attempts since the last success. */
  consecutive_failures: number
}

/** Every feed that has ever answered, with its current health. */
export async function readNewsSources(db: ReadonlyDb): Promise<ServedNewsSource[]> {
  const rows = await db
    .selectFrom('news_sources as feed')
    .leftJoin('source_states as state', 'state.source', 'feed.source')
    .select([
      'feed.source',
      'feed.name',
      'feed.web_url',
      'feed.feed_url',
      'feed.image_url',
      'feed.created_at',
      'feed.fetched_at',
      'state.consecutive_failures',
    ])
    .orderBy('feed.name')
    .execute()
  return rows.map((row) => ({ ...row, consecutive_failures: row.consecutive_failures ?? 0 }))
}
