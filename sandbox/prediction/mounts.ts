import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createKalshi } from './kalshi.ts'
import { createPolymarket } from './polymarket.ts'
import { createPredictionWorld } from './prediction-world.ts'

export function predictionMounts(world: World): Mount[] {
  const prediction = createPredictionWorld(world)
  return [
    { base: '/polymarket', upstream: createPolymarket(prediction) },
    { base: '/kalshi/trade-api/v2', upstream: createKalshi(prediction) },
  ]
}
