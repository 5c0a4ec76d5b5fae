import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface NewsSourceRow {
  source: string
  name: string
  webUrl: string
  feedUrl: string
  /** null: the feed names no image; a stored one is kept */
  imageUrl: string | null
  etag: string | null
  lastModified: string | null
  fetchedAt: Date
}

/** Stores the description of a feed and the validators of its next request. */
export async function storeNewsSource(db: Db, row: NewsSourceRow): Promise<void> {
  await sql`
    insert into news_sources as stored
      (source, name, web_url, feed_url, image_url, etag, last_modified, created_at, fetched_at)
    values (${row.source}, ${row.name}, ${row.webUrl}, ${row.feedUrl}, ${row.imageUrl}, ${row.etag},
      ${row.lastModified}, ${row.fetchedAt}, ${row.fetchedAt})
    on conflict (source) do update set
      name = excluded.name, web_url = excluded.web_url, feed_url = excluded.feed_url,
      image_url = coalesce(excluded.image_url, stored.image_url), etag = excluded.etag,
      last_modified = excluded.last_modified, fetched_at = excluded.fetched_at`.execute(db)
}

/** Records that a feed answered without changes. */
export async function touchNewsSource(db: Db, row: { source: string; fetchedAt: Date }): Promise<void> {
  await sql`update news_sources set fetched_at = ${row.fetchedAt} where source = ${row.source}`.execute(db)
}
