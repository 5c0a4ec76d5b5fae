import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createGoPlus } from './goplus.ts'
import { createRugCheck } from './rugcheck.ts'

export function riskMounts(world: World): Mount[] {
  return [
    { base: '/goplus', upstream: createGoPlus(world) },
    { base: '/rugcheck', upstream: createRugCheck(world) },
  ]
}
