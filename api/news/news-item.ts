import { z } from 'zod'
import type { NewsCoin, ServedNews } from '../../db/news/read-news.ts'
import { toNumber } from '../shapes.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Address at which browsers reach the pages of this service. null: the operator has configured none */
    pagesUrl: string | null
  }
}

export const NEWS_ID = '^[0-9a-f]{64}$'
export const isNewsId = (text: string): boolean => new RegExp(NEWS_ID).test(text)

export const newsItemSchema = z.object({
  id: z.string(),
  feedDate: z.number().int().describe('Publication time in Unix milliseconds'),
  source: z.string(),
  title: z.string(),
  isFeatured: z.boolean().describe('Whether the operator picked the article'),
  link: z.string().describe('URL of the article'),
  sourceLink: z.string().describe('URL of the web site of the source'),
  imgUrl: z
    .string()
    .describe('URL of the image of the article, else of the source; empty when neither has one'),
  reactionsCount: z.record(z.string(), z.number().int()).describe('Number of reactions by kind'),
  reactions: z.array(z.string()),
  shareURL: z
    .string()
    .describe('URL to share: a page of this service with source and coins, else the article itself'),
  relatedCoins: z.array(z.string()).describe('Ids of the coins that the article is about'),
  content: z.boolean().describe('Whether the source publishes the whole article in its feed'),
  bigImg: z.boolean(),
  searchKeyWords: z.array(z.string()).optional(),
  description: z.string().optional().describe('Summary as plain text'),
  coins: z
    .array(
      z.object({
        coinKeyWords: z.string().describe('Symbol of the coin'),
        coinPercent: z.number().describe('Price change over 24 hours in percent; 0 when unknown'),
        coinTitleKeyWords: z.string().describe('Symbol of the coin'),
        coinNameKeyWords: z.string().describe('Name of the coin'),
        coinIdKeyWords: z.string().describe('Coin id'),
      }),
    )
    .optional(),
})
type NewsItem = z.infer<typeof newsItemSchema>

/** An image of at least this width in pixels is big. */
const BIG_IMAGE = 600

/** Converts a stored article to the response of the contract. */
export function toNewsItem(row: ServedNews, pagesUrl: string | null): NewsItem {
  return {
    id: row.id,
    feedDate: row.published_ms,
    source: row.source_name,
    title: row.title,
    isFeatured: row.picked,
    link: row.link,
    sourceLink: row.web_url,
    imgUrl: row.image_url ?? row.source_image_url ?? '',
    reactionsCount: row.reactions,
    reactions: Object.keys(row.reactions),
    shareURL: pagesUrl === null ? row.link : `${pagesUrl}/news/${row.id}`,
    relatedCoins: row.coin_ids,
    content: row.has_content,
    bigImg: (row.image_width ?? 0) >= BIG_IMAGE,
    ...(row.keywords.length > 0 && { searchKeyWords: row.keywords }),
    ...(row.summary !== null && { description: row.summary }),
    ...(row.coins.length > 0 && { coins: row.coins.map(newsCoin) }),
  }
}

function newsCoin({ id, symbol, name, price_change_1d }: NewsCoin) {
  return {
    coinKeyWords: symbol,
    coinPercent: toNumber(price_change_1d ?? '0'),
    coinTitleKeyWords: symbol,
    coinNameKeyWords: name,
    coinIdKeyWords: id,
  }
}
