import { openDb } from '../../../db/connect.ts'
import { folderTarget } from '../../../export/folder-target.ts'
import { runExport } from '../../../export/run-export.ts'

/** Output of `export-process.ts URL FOLDER`. */
export interface ExportRun {
  ms: number
  peakRssMb: number
  datasets: Awaited<ReturnType<typeof runExport>>['datasets']
}

const [url, folder] = process.argv.slice(2)
const { pool, close } = openDb({ url: url!, maxConnections: 1, applicationName: 'bench' })
const startMs = performance.now()
const { datasets } = await runExport({ pool, target: folderTarget(folder!), now: () => new Date() })
const ms = performance.now() - startMs
await close()
const run: ExportRun = { ms, peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024), datasets }
console.log(JSON.stringify(run))
