import type { AreaSpec } from './area.ts'
import * as areas from './areas.ts'

/** Schedules, sources and status derive from them. In the order of their names: nothing may depend on it. */
export const AREAS: readonly AreaSpec[] = Object.values(areas)
