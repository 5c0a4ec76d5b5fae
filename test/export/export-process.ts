import { openDb } from '../../db/connect.ts'
import { openTarget } from '../../export/open-target.ts'
import { runExport } from '../../export/run-export.ts'

// One export in a process of its own, which a test kills: DATABASE_URL and the target are told to it.

const { pool, close } = openDb({
  url: process.env['DATABASE_URL']!,
  maxConnections: 1,
  applicationName: 'test-export-process',
})
console.log('exporting')
await runExport({ pool, target: openTarget(process.argv[2]!, process.env), now: () => new Date() })
await close()
