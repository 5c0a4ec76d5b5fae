import type { ScheduleSpec } from './area.ts'

/** Made by workers that were told of a folder for exports. */
export const exportSchedule: ScheduleSpec = {
  id: 'export-tables',
  workflow: 'exportTables',
  everySeconds: 3600,
  jitterSeconds: 600,
  input: null,
}
