import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../cli/folders.ts'
import { buildGoTool } from './build-go-tool.ts'
import { installPythonTool } from './install-python-tool.ts'

// Checks the production files with the programs that read them.

const run = promisify(execFile)
const COMPOSE = join(ROOT, 'docker-compose.yml')
/** Each that the file demands: `API_PASSWORD` is `APIsecret`. */
const passwords = Object.fromEntries(
  [...readFileSync(COMPOSE, 'utf8').matchAll(/\$\{((\w+)_PASSWORD):\?\}/g)].map(([, name, owner]) => [
    name!,
    `${owner}secret`,
  ]),
)

const compose = () =>
  buildGoTool({ name: 'docker-compose', program: 'github.com/docker/compose/v2/cmd', version: '2.40.0' })

async function composeConfig(env: Record<string, string>, args: string[] = []) {
  const { PATH = '', HOME = '' } = process.env
  const file = ['-f', COMPOSE, '--profile', '*', 'config', ...args]
  const { stdout, stderr } = await run(await compose(), file, { env: { PATH, HOME, ...env } })
  expect(stderr).toBe('')
  return parse(stdout) as { services: Record<string, any>; configs: Record<string, any> }
}

test('docker compose accepts the file with all profiles', async () => {
  const { services, configs } = await composeConfig(passwords)
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining([
      'postgres',
      'temporal',
      'temporal-ui',
      'migrate',
      'worker',
      'api',
      'gateway',
      'alertmanager',
    ]),
  )
  expect(services['api'].environment.API_DATABASE_URL).toBe('postgres://api:APIsecret@postgres:5432/sluice')
  expect(configs['pgbouncer-users'].content).toContain('"meter" "METERsecret"')
})

test('docker compose refuses a missing password', async () => {
  const { METER_PASSWORD: _without, ...rest } = passwords
  await expect(composeConfig(rest)).rejects.toThrow('METER_PASSWORD')
})

test('DATABASE_ADDRESS puts all services except migrations behind PgBouncer', async () => {
  const { services } = await composeConfig({ ...passwords, DATABASE_ADDRESS: 'pgbouncer:6432' })
  for (const name of ['api', 'gateway', 'worker']) {
    const urls = Object.entries(services[name].environment as Record<string, string>).filter(([key]) =>
      key.endsWith('_DATABASE_URL'),
    )
    expect(urls.length).toBeGreaterThan(0)
    for (const [key, url] of urls) expect([key, new URL(url).host]).toEqual([key, 'pgbouncer:6432'])
  }
  expect(new URL(services['migrate'].environment.DATABASE_URL).host).toBe('postgres:5432')
})

const amtool = () =>
  buildGoTool({ name: 'amtool', program: 'github.com/prometheus/alertmanager/cmd/amtool', version: '0.28.1' })

/** Checks the configuration of the Alertmanager as it is with these settings. Rejects with the problem. */
async function checkAlertmanager(env: Record<string, string>) {
  const { configs } = await composeConfig({ ...passwords, ...env })
  const file = join(await folder(), 'alertmanager.yml')
  await writeFile(file, configs['alertmanager'].content as string)
  const { stdout } = await run(await amtool(), ['check-config', file])
  const { receivers } = parse(configs['alertmanager'].content as string) as { receivers: unknown[] }
  return { stdout, receivers }
}

test('Alertmanager accepts its configuration without receivers, and tells those that are set', async () => {
  const none = await checkAlertmanager({})
  expect(none.stdout).toContain('SUCCESS')
  expect(none.receivers).toEqual([{ name: 'operators', webhook_configs: [], slack_configs: [] }])
  const both = await checkAlertmanager({
    ALERTMANAGER_WEBHOOK_URL: 'https://alerts.example/hook',
    ALERTMANAGER_SLACK_URL: 'https://chat.example/services/x',
  })
  expect(both.stdout).toContain('SUCCESS')
  expect(both.receivers).toEqual([
    {
      name: 'operators',
      webhook_configs: [{ url: 'https://alerts.example/hook' }],
      slack_configs: [{ api_url: 'https://chat.example/services/x' }],
    },
  ])
})

const kustomize = () =>
  buildGoTool({ name: 'kustomize', program: 'sigs.k8s.io/kustomize/kustomize/v5', version: '5.7.1' })

const VALIDATOR = 'kubernetes-validate'
const VALIDATOR_VERSION = '1.34.1'

test.each(['base', 'overlays/production'])(
  'the Kubernetes manifests in %s match the schemas',
  async (folder) => {
    const { stdout } = await run(await kustomize(), ['build', join(ROOT, 'ops/kubernetes', folder)])
    const documents = parseAllDocuments(stdout).map((document) => document.toJS() as { kind: string })
    const kinds = documents.map(({ kind }) => kind)
    for (const kind of [
      'Deployment',
      'Job',
      'Service',
      'ConfigMap',
      'NetworkPolicy',
      'HorizontalPodAutoscaler',
    ])
      expect(kinds).toContain(kind)
    // References to settings carry the hash of their content, in components as in the base.
    expect(stdout).not.toMatch(/configMapRef:\n\s+name: sluice$/m)
    const validated = await validate(stdout)
    expect(validated.split('\n').filter((line) => line.includes(' passed '))).toHaveLength(documents.length)
  },
)

test('the validator rejects a misspelled field', async () => {
  const { stdout } = await run(await kustomize(), ['build', join(ROOT, 'ops/kubernetes/base')])
  await expect(validate(stdout.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'))).rejects.toThrow()
})

/** Validates against the schemas of Kubernetes 1.34, without unknown fields. Rejects with the problem. */
async function validate(manifests: string): Promise<string> {
  const programs = await installPythonTool({
    name: `${VALIDATOR}-${VALIDATOR_VERSION}`,
    requirements: [`${VALIDATOR}==${VALIDATOR_VERSION}`],
  })
  const file = join(await folder(), 'manifests.yaml')
  await writeFile(file, manifests)
  const { stdout, stderr } = await run(join(programs, VALIDATOR), ['--strict', '-k', '1.34', file])
  return stdout + stderr
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'sluice-manifests-'))
  afterAll(() => rm(made, { recursive: true, force: true }))
  return made
}
