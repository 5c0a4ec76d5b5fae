import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../cli/folders.ts'

// A rule whose pattern matches nothing would go unnoticed. So each import rule gets an import that it must
// refuse, and each exception an import that must pass.

const REFUSED: [folder: string, specifier: string][] = [
  ['workflows/prices', 'node:fs'],
  ['workflows/prices', 'kysely'],
  ['workflows/prices', '../../activities/prices/index.ts'],
  ['workflows/prices', '../../db/prices/write.ts'],
  ['workflows/prices', '../../api/routes.ts'],
  ['activities/prices', '../../workflows/prices/refresh-coins.ts'],
  ['activities/prices', '../../api/routes.ts'],
  ['activities/prices/sources', '../../../db/connect.ts'],
  ['activities/prices/sources', 'pg'],
  ['activities/prices/sources', '../../../sandbox/world.ts'],
  ['db/prices', '../../activities/area.ts'],
  ['db/values', '../connect.ts'],
  ['db/values', '../prices/write.ts'],
  ['db/values', 'pg'],
  ['api/prices', '../../activities/area.ts'],
  ['api/prices', '../../workflows/index.ts'],
  ['api/prices', '../../db/prices/write.ts'],
  ['api/pnl', '../../db/pnl/periods/write-days.ts'],
  ['ops/telemetry', '../../db/connect.ts'],
  ['ops/telemetry', '../prometheus/rules.ts'],
  ['export', '../gateway/server.ts'],
  ['export', '../db/prices/write.ts'],
  ['sandbox/facilitator', '../chain/rpc.ts'],
  ['sandbox/facilitator', '../../db/connect.ts'],
  ['web/issuer', '../account/visit.ts'],
  ['web/issuer', '../../db/metering/write.ts'],
  ['web/issuer', '../../sandbox/world.ts'],
  ['web/account', '../../activities/area.ts'],
  ['web/account', '../console/visit.ts'],
  ['web/account', '../../db/metering/write-keys.ts'],
  ['web/console', '../account/visit.ts'],
  ['web/console', '../../sandbox/main.ts'],
  ['web/parts', '../account/visit.ts'],
  ['web/parts', '../console/visit.ts'],
  ['gateway', '../sandbox/facilitator/server.ts'],
  ['gateway', '../db/payments/write.ts'],
  ['clients/mcp', '../../db/connect.ts'],
  ['clients/mcp', '../typescript/sluice-client.ts'],
  ['clients/mcp', 'pg'],
  ['clients/typescript', '../mcp/tool.ts'],
  ['clients/typescript', 'node:fs'],
  ['cli', '../sandbox/main.ts'],
  ['cli/commands', '../../test/setup/query.ts'],
]

const ALLOWED: typeof REFUSED = [
  ['workflows/prices', '../../db/values/periods.ts'],
  ['activities/prices', '../../db/prices/write.ts'],
  ['activities/prices/sources', '../../../db/values/decimal.ts'],
  ['api/prices', '../../db/prices/read.ts'],
  ['ops/telemetry', '../settings/configured.ts'],
  ['sandbox/facilitator', '../../ops/settings/configured.ts'],
  ['web/issuer', '../../db/account/users.ts'],
  ['web/issuer', '../parts/page.ts'],
  ['web/account', '../parts/page.ts'],
  ['clients/mcp', '../../api/routes.ts'],
  ['cli', '../sandbox/chain/networks.ts'],
]

const folder = mkdtempSync(join(tmpdir(), 'sluice-imports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The imports that the linter refuses, as `<folder> <specifier>`. */
async function refused(imports: typeof REFUSED): Promise<string[]> {
  imports.forEach(([place, specifier], i) => {
    const file = join(folder, place, `of-${i}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import { it } from '${specifier}'\n\nexport const used = it\n`)
  })
  // Folders in the config are relative to it, so it is copied. Without types, because these imports do not
  // exist.
  const { options: _typeAware, ...config } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'))
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
  const args = ['--format', 'json', '.']
  const output = await new Promise<string>((resolve) =>
    execFile(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: folder }, (_error, stdout) =>
      resolve(stdout),
    ),
  )
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { code: string; filename: string; message: string }[]
  }
  return diagnostics
    .filter(({ code }) => code.includes('no-restricted-imports'))
    .map(({ filename }) => imports[Number(/of-(\d+)\.ts$/.exec(filename)![1])]!.join(' '))
    .toSorted()
}

test('each import rule refuses its forbidden imports and nothing else', async () => {
  const all = [...REFUSED, ...ALLOWED]
  expect(await refused(all)).toEqual(REFUSED.map((one) => one.join(' ')).toSorted())
})
