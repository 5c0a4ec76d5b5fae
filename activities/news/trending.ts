const HOUR_MS = 3_600_000

/** The parts of an article that the ranking uses. */
export interface TrendArticle {
  id: string
  source: string
  title: string
  coinIds: readonly string[]
  publishedAt: Date
}

/** The last six hours are compared with the hours before them, up to TREND_HOURS. */
const RECENT_HOURS = 6
export const TREND_HOURS = 72
/** The score of an article halves in this time. */
const HALF_LIFE_HOURS = 8
/** Assumed earlier mentions of every subject, so that one article about a new subject is no trend yet. */
const PRIOR = 1
/** The number of strongest subjects that count for an article. */
const STRONGEST = 3

/** Words of headlines that are not subjects. */
const FILLER = new Set(
  `about above after again against ahead amid analyst analysts announces another around because before behind below
  billion could crypto cryptocurrency daily despite during every expert first from gains have here into just
  latest launch launches major market markets million month more most near network news next over price prices report
  says should since still their these they this through today token tokens top trader traders under until week what when
  where which while will with would year years your`.split(/\s+/),
)

/**
 * Ranks recent articles by velocity. A subject is a coin or a longer word of the title. Its velocity is the
 * excess of its mentions in the last six hours over its earlier rate; each source counts once per hour. The
 * score of an article is the sum over its three fastest subjects, halved for every eight hours of its age.
 */
export function rankTrending(
  articles: readonly TrendArticle[],
  now: Date,
): { newsId: string; score: number }[] {
  const recentFrom = now.getTime() - RECENT_HOURS * HOUR_MS
  const counts = new Map<string, { recent: Set<string>; before: Set<string> }>()
  for (const article of articles) {
    const atMs = article.publishedAt.getTime()
    const hour = Math.floor(atMs / HOUR_MS)
    for (const subject of subjectsOf(article)) {
      const count = counts.get(subject) ?? { recent: new Set(), before: new Set() }
      counts.set(subject, count)
      count[atMs >= recentFrom ? 'recent' : 'before'].add(`${article.source} ${hour}`)
    }
  }
  const share = RECENT_HOURS / (TREND_HOURS - RECENT_HOURS)
  const speeds = new Map(
    [...counts].map(([subject, { recent, before }]) => [
      subject,
      Math.max(0, recent.size - before.size * share) / Math.sqrt(before.size * share + PRIOR),
    ]),
  )
  return articles
    .map((article) => ({ newsId: article.id, score: scoreOf(article, speeds, now) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.newsId < b.newsId ? -1 : 1))
}

function scoreOf(article: TrendArticle, speeds: ReadonlyMap<string, number>, now: Date): number {
  const strongest = subjectsOf(article)
    .map((subject) => speeds.get(subject) ?? 0)
    .sort((a, b) => b - a)
    .slice(0, STRONGEST)
  const ageHours = Math.max(0, now.getTime() - article.publishedAt.getTime()) / HOUR_MS
  return strongest.reduce((sum, speed) => sum + speed, 0) * 2 ** (-ageHours / HALF_LIFE_HOURS)
}

function subjectsOf({ title, coinIds }: TrendArticle): string[] {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return [
    ...coinIds.map((id) => `coin:${id}`),
    ...new Set(words.filter((word) => !FILLER.has(word) && !/^\d/.test(word))),
  ]
}
