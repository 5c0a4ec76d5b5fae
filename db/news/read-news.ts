import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'
import { NEWS_LIST_NAMES, NEWS_LISTS, type NewsList } from './lists.ts'

/** A coin that an article is about. */
export interface NewsCoin {
  id: string
  symbol: string
  name: string
  price_change_1d: string | null
}

export interface ServedNews {
  id: string
  source_name: string
  web_url: string
  source_image_url: string | null
  link: string
  title: string
  summary: string | null
  image_url: string | null
  image_width: number | null
  keywords: string[]
  has_content: boolean
  reactions: Record<string, number>
  coin_ids: string[]
  picked: boolean
  /** The fields ending in `_ms` are Unix milliseconds. */
  published_ms: number
  fetched_ms: number
  /** The coins of `coin_ids` that exist in the database, in the same order. */
  coins: NewsCoin[]
  /** When any feed last answered. */
  as_of_ms: number
}

const FIELDS = `item.id, origin.name as source_name, origin.web_url, origin.image_url as source_image_url, item.link,
  item.title, item.summary, item.image_url, item.image_width, item.keywords, item.has_content, item.reactions,
  item.coin_ids, item.picked_at is not null as picked,
  floor(extract(epoch from item.published_at) * 1000) as published_ms,
  floor(extract(epoch from item.fetched_at) * 1000) as fetched_ms,
  case when item.coin_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coin.id, 'symbol', coin.symbol, 'name', coin.name,
      'price_change_1d', quote.price_change_1d::text) order by array_position(item.coin_ids, coin.id)), '[]')
    from coins as coin left join coin_quotes as quote on quote.coin_id = coin.id
    where coin.id = any(item.coin_ids)
  ) end as coins,
  (select floor(extract(epoch from max(fetched_at)) * 1000) from news_sources) as as_of_ms`

/** Returns the rows as one JSON text: reading each column separately takes the API a third more time. */
const asJson = (rows: string) => `select coalesce(json_agg(served), '[]') as rows from (${rows}) as served`

/**
 * One page of a list: $1 name of the list, $2 exclusive end time, $3 rows before the page, $4 inclusive start
 * time, $5 rows of the page. `top` is the position of the newest row before the end. The scan starts at the
 * first anchor at or above the first row of the page, or at the end if that is nearer, so it skips only a few
 * rows, however deep the page.
 */
const pageOf = (list: NewsList) =>
  prepared(
    `news-page-${list}`,
    `with below as (
      select rank, published_at, id from news_anchors
      where list = $1 and published_at < $2 order by published_at desc, id desc limit 1
    ), top as (
      select coalesce((select rank from below), 0) + (
        select count(*) from news_items
        where ${NEWS_LISTS[list]} and published_at < $2 and (published_at, id) >
          (coalesce((select published_at from below), '-infinity'), coalesce((select id from below), ''))
      ) as rank
    ), start as (
      select rank, published_at, id from news_anchors
      where list = $1 and rank >= (select rank from top) - $3::bigint and rank < (select rank from top)
      order by rank limit 1
    )
    ${asJson(`select ${FIELDS}
    from (
      select * from news_items
      where ${NEWS_LISTS[list]} and published_at < $2 and published_at >= $4 and (published_at, id) <=
        (coalesce((select published_at from start), 'infinity'), coalesce((select id from start), 'g'))
      order by published_at desc, id desc
      limit case when (select rank from top) <= $3::bigint then 0 else $5::bigint end
      offset case when (select rank from start) is null then least($3::bigint, (select rank from top))
        else (select rank from start) - (select rank from top) + $3::bigint end
    ) as item
    join news_sources as origin on origin.source = item.source
    order by item.published_at desc, item.id desc`)}`,
  )

const PAGES = Object.fromEntries(NEWS_LIST_NAMES.map((list) => [list, pageOf(list)])) as Record<
  NewsList,
  string
>

export interface NewsPageRequest {
  list: NewsList
  /** Rows before the page. */
  offset: number
  limit: number
  /** Inclusive start and exclusive end of the publication time. */
  from?: Date | undefined
  to?: Date | undefined
}

/** Returns one page of a news list, newest first. */
export async function readNewsPage(db: ReadonlyDb, request: NewsPageRequest): Promise<ServedNews[]> {
  const { list, offset, limit, from, to } = request
  return readRows(db, PAGES[list], [list, to ?? 'infinity', offset, from ?? '-infinity', limit])
}

const TRENDING = prepared(
  'news-page-trending',
  asJson(`select ${FIELDS}
  from news_trending as place
  join news_items as item on item.id = place.news_id
  join news_sources as origin on origin.source = item.source
  where place.rank > $1::bigint and place.rank <= $1::bigint + $2::bigint
  order by place.rank`),
)

/** Returns one page of the trending list, highest score first. */
export async function readTrendingPage(
  db: ReadonlyDb,
  { offset, limit }: { offset: number; limit: number },
): Promise<ServedNews[]> {
  return readRows(db, TRENDING, [offset, limit])
}

const ITEM = prepared(
  'news-item',
  asJson(`select ${FIELDS} from news_items as item join news_sources as origin on origin.source = item.source
  where item.id = $1`),
)

export async function readNewsItem(db: ReadonlyDb, id: string): Promise<ServedNews | undefined> {
  return (await readRows(db, ITEM, [id]))[0]
}

async function readRows(db: ReadonlyDb, text: string, values: readonly unknown[]): Promise<ServedNews[]> {
  const [answer] = await readText<{ rows: ServedNews[] }>(db, { text, values })
  return answer!.rows
}

/** The last time a feed answered; null: no feed has answered yet. */
export async function readNewsAsOf(db: ReadonlyDb): Promise<Date | null> {
  const row = await db
    .selectFrom('news_sources')
    .select((eb) => eb.fn.max('fetched_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
