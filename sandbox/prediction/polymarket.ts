import type { PredictionWorld } from './prediction-world.ts'
import { createPolymarketClob } from './polymarket-clob.ts'
import { createPolymarketData } from './polymarket-data.ts'
import { createPolymarketGamma } from './polymarket-gamma.ts'
import type { Upstream } from '../upstream.ts'

/** Polymarket's three services, each under its own path. */
export function createPolymarket(world: PredictionWorld): Upstream {
  const services: Record<string, Upstream> = {
    gamma: createPolymarketGamma(world),
    data: createPolymarketData(world),
    clob: createPolymarketClob(world),
  }
  return (request) => {
    const [name = '', ...path] = request.path
    return services[name]?.({ ...request, path }) ?? { status: 404, body: { error: 'not found' } }
  }
}
