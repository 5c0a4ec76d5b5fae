import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importClosure } from '../reading-distance/import-closure.ts'

const ROOT = join(import.meta.dirname, '../..')
/** They look at everything. */
const WHOLE = new Set(['check', 'doctor', 'openapi', 'setup', 'start', 'topology', 'mcp'].map(fileOf))

function fileOf(name: string): string {
  return `cli/commands/${name}.ts`
}

// Loading every route and its schemas takes as long as the rest of such a command.
test.each(globSync(fileOf('*'), { cwd: ROOT }).filter((file) => !WHOLE.has(file)))(
  '%s starts without loading the API',
  (file) => {
    expect(importClosure(ROOT, [file]).files).not.toContain('api/routes.ts')
  },
)
