import type { ActivityDeps } from '../deps.ts'

export type ExportActivities = ReturnType<typeof createExportActivities>

export function createExportActivities({ pool, config, now }: Pick<ActivityDeps, 'pool' | 'config' | 'now'>) {
  return {
    /**
     * Brings the export up to date. Returns its rows and the number of new files; null: EXPORT_TO is not set.
     */
    async exportTables(): Promise<{ rows: number; written: number } | null> {
      if (config.exportTarget === null) return null
      // Loaded on demand: DuckDB takes 50 MB, which a worker without exports does not need.
      const { runExport } = await import('../../export/run-export.ts')
      const { datasets } = await runExport({ pool, target: config.exportTarget, now })
      const sum = (of: 'rows' | 'written') => datasets.reduce((total, dataset) => total + dataset[of], 0)
      return { rows: sum('rows'), written: sum('written') }
    },
  }
}
