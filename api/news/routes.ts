import type { Route } from '../route.ts'
import { getNewsByType } from './get-news-by-type.ts'
import { getNewsItem } from './get-news-item.ts'
import { getNewsSources } from './get-news-sources.ts'
import { getNews } from './get-news.ts'

export const newsRoutes: readonly Route[] = [getNews, getNewsByType, getNewsSources, getNewsItem]
