import type { AreaSpec } from './area.ts'
import * as areas from './areas.ts'

/** Schedules, sources and status derive from these. Sorted by name; nothing may depend on the order. */
export const AREAS: readonly AreaSpec[] = Object.values(areas)
