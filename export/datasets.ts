import type { Dataset } from './dataset.ts'
import * as areas from './areas.ts'

/** All datasets of an export. Files, catalog, data dictionary and verification derive from this list. */
export const DATASETS: readonly Dataset[] = Object.values(areas).flat()
