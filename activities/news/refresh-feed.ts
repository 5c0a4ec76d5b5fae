import { readNamedCoins, readValidators } from '../../db/news/read-for-ingest.ts'
import { type NewsRow, storeNews } from '../../db/news/write-items.ts'
import { storeNewsSource, touchNewsSource } from '../../db/news/write-sources.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { analyse, analysisVersion } from './analyse.ts'
import { createVocabulary } from './coins/vocabulary.ts'
import { type Feed, FEEDS } from './feeds.ts'
import { type FeedAnswer, readFeed, type Validators } from './sources/feed.ts'
import type { FeedItem } from './sources/parse-feed.ts'

const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

export interface FeedResult {
  /** articles in the feed; 0 when it has not changed */
  read: number
  /** new or changed articles */
  changed: number
  quarantined: number
}

/**
 * Reads one feed if it has changed since the last time, and stores its articles with their coins and tone.
 * Articles, quarantined items and the validators of the next request commit together. While the feed is down,
 * reads the publisher's news sitemap if there is one, which adds new articles without summaries. `afresh`
 * reads the feed even if it has not changed.
 */
export async function refreshFeed(
  deps: ActivityDeps,
  { source, afresh = false }: { source: string; afresh?: boolean },
): Promise<FeedResult> {
  const feed = FEEDS.find(({ name }) => name === source)
  const base = deps.config.sources[source]
  if (!feed || !base) throw new SourceRejected(source, 'this source is off')
  const validators = afresh ? NO_VALIDATORS : await readValidators(deps.db, source)
  const { answer, stoodIn } = await readEither(deps, { feed, baseUrl: base.url, validators })
  const fetchedAt = deps.now()
  if (answer === null) {
    await touchNewsSource(deps.db, { source, fetchedAt })
    return { read: 0, changed: 0, quarantined: 0 }
  }
  const vocabulary = createVocabulary(await readNamedCoins(deps.db))
  const rows = answer.items.map((item): NewsRow => {
    const { coinIds, sentiment, score } = analyse(item, vocabulary)
    return {
      ...rowOf(item),
      coin_ids: coinIds,
      sentiment,
      sentiment_score: score,
      analysis: analysisVersion(vocabulary),
      source,
      published_at: item.publishedAt ?? fetchedAt,
      fetched_at: fetchedAt,
    }
  })
  const { quarantined, imageUrl, etag, lastModified } = answer
  const described = { name: feed.title, webUrl: feed.site, feedUrl: feed.site + feed.path }
  const changed = await transact(deps.pool, async (transaction) => {
    const state = { source, ...described, imageUrl, etag, lastModified, fetchedAt }
    await storeNewsSource(transaction.db, state)
    await quarantineRows(transaction.db, { source, area: 'news', quarantined, fetchedAt })
    return storeNews(transaction, rows, { onlyNew: stoodIn })
  })
  return { read: rows.length, changed, quarantined: quarantined.length }
}

async function readEither(
  deps: ActivityDeps,
  { feed, baseUrl, validators }: { feed: Feed; baseUrl: string; validators: Validators },
): Promise<{ answer: FeedAnswer; stoodIn: boolean }> {
  const source = feed.name
  try {
    return { answer: await readFeed(deps, { source, url: baseUrl + feed.path, validators }), stoodIn: false }
  } catch (error) {
    if (!(error instanceof SourceUnavailable) || feed.sitemap === undefined) throw error
    deps.log.warn({ reason: error.message }, 'the feed failed: reading the news sitemap instead')
    const answer = await readFeed(deps, { source, url: baseUrl + feed.sitemap, validators: NO_VALIDATORS })
    return { answer: answer && { ...answer, ...NO_VALIDATORS }, stoodIn: true }
  }
}

function rowOf(item: FeedItem) {
  const { id, link, title, summary, keywords, reactions } = item
  return {
    id,
    link,
    title,
    summary,
    keywords,
    reactions,
    image_url: item.imageUrl,
    image_width: item.imageWidth,
    has_content: item.hasContent,
  }
}
