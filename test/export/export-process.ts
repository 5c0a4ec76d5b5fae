import { openDb } from '../../db/connect.ts'
import { openTarget } from '../../export/open-target.ts'
import { runExport } from '../../export/run-export.ts'

// Runs one export as a separate process that a test kills. It gets DATABASE_URL, and the target as argument.

const { pool, close } = openDb({
  url: process.env['DATABASE_URL']!,
  maxConnections: 1,
  applicationName: 'test-export-process',
})
console.log('exporting')
await runExport({ pool, target: openTarget(process.argv[2]!, process.env), now: () => new Date() })
await close()
