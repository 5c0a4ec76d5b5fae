import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { publishedOpenApi } from '../../api/published-openapi.ts'
import { routes } from '../../api/routes.ts'
import { installPythonTool } from './install-python-tool.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sluice-python-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('openapi-python-client generates a client without warnings, one file for each operation and object', async () => {
  const programs = await installPythonTool({
    name: 'openapi-python-client',
    requirements: ['openapi-python-client==0.29.1'],
  })
  const document = publishedOpenApi(routes)
  const source = join(folder, 'openapi.json')
  writeFileSync(source, JSON.stringify(document))
  const client = join(folder, 'sluice_api')
  const { stdout, stderr } = await run(
    join(programs, 'openapi-python-client'),
    ['generate', '--path', source, '--output-path', client, '--meta', 'none', '--fail-on-warning'],
    { env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` } },
  )
  expect(stdout + stderr).not.toMatch(/warning|error/i)
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.py'),
  )
  const operations = files.filter((file) => /^api\/\w+\/(?!__init__)/.test(file))
  const models = files.filter((file) => /^models\/(?!__init__)/.test(file))
  expect(operations.length).toBe(Object.values(document.paths).flatMap(Object.values).length)
  // A list of choices is a type, not a file.
  const schemas = Object.values(document.components['schemas'] as Record<string, { type?: string }>)
  expect(models.length).toBe(schemas.filter(({ type }) => type === 'object').length)
  expect(files.length).toBeLessThan(400)
  expect(files.filter((file) => basename(file, '.py').length > 40)).toEqual([])
  // Python compiles every module.
  await run(join(programs, 'python'), ['-m', 'compileall', '-q', client])
})
