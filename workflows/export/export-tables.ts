import { proxyActivities } from '@temporalio/workflow'
import type { ExportActivities } from '../../activities/export/index.ts'
import { wholeExport } from '../policies.ts'

const whole = proxyActivities<ExportActivities>(wholeExport)

/** Brings the export for analysts up to date. */
export async function exportTables(): Promise<{ rows: number; written: number } | null> {
  return await whole.exportTables()
}
