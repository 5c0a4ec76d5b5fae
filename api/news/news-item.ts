import { z } from 'zod'
import type { NewsCoin, ServedNews } from '../../db/news/read-news.ts'
import { toNumber } from '../shapes.ts'

export const newsItemSchema = z.object({
  id: z.string(),
  feedDate: z.number().int().describe('Publication time, Unix milliseconds'),
  source: z.string(),
  title: z.string(),
  isFeatured: z.boolean().describe('Picked by the operator'),
  link: z.string().describe('Article'),
  sourceLink: z.string().describe('Site of the source'),
  imgUrl: z.string().describe('Image of the article, else of the source; empty where neither has one'),
  reactionsCount: z.record(z.string(), z.number().int()).describe('Count by reaction'),
  reactions: z.array(z.string()),
  shareURL: z.string(),
  relatedCoins: z.array(z.string()).describe('Coin ids'),
  content: z.boolean().describe('Whether the source publishes the whole article in its feed'),
  bigImg: z.boolean(),
  searchKeyWords: z.array(z.string()).optional(),
  description: z.string().optional().describe('Plain text'),
  coins: z
    .array(
      z.object({
        coinKeyWords: z.string().describe('Symbol'),
        coinPercent: z.number().describe('Price change of 24 hours in percent'),
        coinTitleKeyWords: z.string().describe('Symbol'),
        coinNameKeyWords: z.string().describe('Name'),
        coinIdKeyWords: z.string().describe('Coin id'),
      }),
    )
    .optional(),
})
type NewsItem = z.infer<typeof newsItemSchema>

/** From this width in pixels on an image fills a line. */
const BIG_IMAGE = 600

/** A stored article as the contract has it. */
export function toNewsItem(row: ServedNews): NewsItem {
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
    // The service has no pages of its own to share.
    shareURL: row.link,
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
