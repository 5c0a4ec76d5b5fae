import type { Dataset } from './dataset.ts'
import * as areas from './areas.ts'

/** Everything that is exported, and nothing else: files, catalog, data dictionary and verification derive from it. */
export const DATASETS: readonly Dataset[] = Object.values(areas).flat()
