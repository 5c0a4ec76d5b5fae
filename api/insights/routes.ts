import type { Route } from '../route.ts'
import { getBtcDominance } from './get-btc-dominance.ts'
import { getFearAndGreedChart } from './get-fear-and-greed-chart.ts'
import { getFearAndGreed } from './get-fear-and-greed.ts'
import { getRainbowChart } from './get-rainbow-chart.ts'

export const insightsRoutes: readonly Route[] = [
  getBtcDominance,
  getFearAndGreed,
  getFearAndGreedChart,
  getRainbowChart,
]
