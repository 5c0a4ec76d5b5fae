import type { ExportActivities } from '../../activities/export/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { wholeExport } from '../policies.ts'

const whole = activitiesApart<ExportActivities>('exports', wholeExport)

/** Brings the export for analysts up to date. */
export async function exportTables(): Promise<{ rows: number; written: number } | null> {
  return await whole.exportTables()
}
