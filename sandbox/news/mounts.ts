import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createNews } from './news.ts'

export function newsMounts({ market }: World): Mount[] {
  return [{ base: '/feeds', upstream: createNews(market) }]
}
