import type { ScheduleSpec } from './area.ts'

/** Created only by workers that have EXPORT_TO set. */
export const exportSchedule: ScheduleSpec = {
  id: 'export-tables',
  workflow: 'exportTables',
  everySeconds: 3600,
  jitterSeconds: 600,
  input: null,
  sources: [],
}
