import { coins } from '../market/coins.ts'
import type { Market } from '../market/market.ts'
import { hash32, hashText, uniform } from '../market/noise.ts'
import type { Publisher } from './publishers.ts'
import { weightedKinds } from './story-kinds.ts'

export type Article = {
  /** Number of the story that the article covers. */
  story: number
  /** Unix seconds. */
  publishedAt: number
  title: string
  summary: string
  category: string
  symbol: string | null
  slug: string
  comments: number
}

const slot = 1800
const day = 86_400
const longestSearch = 60 * day
/** The best-known coins, without the invented ones. */
const subjects = coins.slice(0, 40).filter((coin) => coin.aliasOf === null)

export type NewsWorld = ReturnType<typeof createNewsWorld>

/**
 * Creates one story per half hour as a pure function of seed and time. Publishers write about it some time
 * later, and price stories match the simulated prices.
 */
export function createNewsWorld(market: Market) {
  const key = hashText(market.seed, 'news')

  function article(publisher: Publisher, story: number): Article | null {
    const own = hashText(key, publisher.name)
    const kind = weightedKinds[hash32(key, story) % weightedKinds.length]!
    const at = story * slot
    const listed = subjects.filter((coin) => market.priceUsd(coin.id, at - day) !== null)
    // Large coins make the most news, and one publisher writes only about the largest.
    const coin = listed[Math.floor(uniform(key ^ 0x51, story) ** 2.5 * listed.length)]!
    const wanted = publisher.onlyCoin === undefined || (kind.hasCoin && coin.id === publisher.onlyCoin)
    if (!wanted || uniform(own, story) >= publisher.share) return null
    const changePercent = (market.priceUsd(coin.id, at)! / market.priceUsd(coin.id, at - day)! - 1) * 100
    const facts = { coin, changePercent, figure: 1 + (hash32(key ^ 0x77, story) % 99) }
    const title = kind.titles[hash32(own, story) % kind.titles.length]!(facts)
    return {
      story,
      publishedAt: at + Math.floor(60 * publisher.delayMinutes * (0.3 + uniform(own ^ 0x99, story))),
      title,
      summary: kind.summary(facts),
      category: kind.category,
      symbol: kind.hasCoin ? coin.symbol.toUpperCase() : null,
      slug: `${title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')}-${story}`,
      comments: hash32(own ^ 0x33, story) % 40,
    }
  }

  /** The articles in a publisher's feed at an instant, newest first. */
  function articlesAt(publisher: Publisher, now: number): Article[] {
    const found: Article[] = []
    const oldest = Math.floor((now - longestSearch) / slot)
    for (let story = Math.floor(now / slot); story > oldest && found.length < publisher.window; story--) {
      const one = article(publisher, story)
      if (one && one.publishedAt <= now) found.push(one)
    }
    return found.sort((a, b) => b.publishedAt - a.publishedAt)
  }

  return { articlesAt }
}
