import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../cli/folders.ts'
import { TEMPORAL_DATABASES } from '../../cli/temporal/temporal-databases.ts'
import { VARIABLES } from '../../ops/settings/variables.ts'

// Containers get the variables that their processes read, in docker-compose.yml and in ops/kubernetes alike.

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, any> }
const kubernetes = (name: string) => {
  const folder = name === 'issuer' ? 'components/issuer' : 'base'
  return parseAllDocuments(read(`ops/kubernetes/${folder}/${name}.yaml`))[0]!.toJS()
}
const settings = (parse(read('ops/kubernetes/base/kustomization.yaml')) as any).configMapGenerator[0]
  .literals as string[]
const secrets = (name: string) => read(`ops/kubernetes/secrets/${name}.env.example`).split('\n')
const nameOf = (line: string) => line.split('=', 1)[0]!

/**
 * Variables that are not passed: set by the image, for `npm start`, for the users of the sandbox or for authors of
 * adapters only, or keys of a store for exports, which are with those of the sources.
 */
const NOT_PASSED =
  /^(METRICS_HOST|METRICS_PORT|WORKFLOW_CACHE|RECORD_DIR|INSTALLATION_ID|S3_ENDPOINT|AWS_.*|ISSUER_(OPERATOR_)?PASSWORD|ISSUER_SHELL_SECRET)$/
type Service = 'api' | 'gateway' | 'worker' | 'issuer'

/** Returns the names of the variables that a process is declared to read. */
function variablesOf(service: Service): string[] {
  const read = Object.entries(VARIABLES).filter(([, { readBy }]) =>
    readBy.split(', ').some((reader) => reader === service || reader === 'all'),
  )
  return read.map(([name]) => name).filter((name) => !NOT_PASSED.test(name))
}

describe.each<Service>(['api', 'gateway', 'worker', 'issuer'])('%s', (service) => {
  const [container] = kubernetes(service).spec.template.spec.containers
  const env = ((container.env ?? []) as { name: string }[]).map(({ name }) => name)

  test('gets every variable that it reads', () => {
    const wanted = variablesOf(service)
    expect(wanted.length).toBeGreaterThan(7)
    // The component for exports sets EXPORT_TO.
    const exports = service === 'worker' ? ['EXPORT_TO'] : []
    const inCluster = [...settings, ...secrets(service)].map(nameOf).concat(env, exports)
    expect(wanted.filter((name) => !(name in compose.services[service].environment))).toEqual([])
    expect(wanted.filter((name) => !inCluster.includes(name))).toEqual([])
  })

  test('runs the same program in both, without privileges and with a read-only file system', () => {
    const composed = compose.services[service]
    expect(container.command).toEqual(composed.command)
    expect(composed).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(composed.security_opt).toEqual(['no-new-privileges:true'])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(kubernetes(service).spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
  })

  test('has enough time to stop', () => {
    const drainOf = (given: Record<string, string>) => Number(given['DRAIN_SECONDS'] ?? 0)
    // SHUTDOWN_MS of each, and the worker's shutdownForceTime. The issuer ends with its requests, which take 15 s at most.
    const needed = { api: 25, gateway: 40, worker: 10, issuer: 15 }[service]
    const composed = compose.services[service]
    expect(parseInt(composed.stop_grace_period)).toBeGreaterThan(needed + drainOf(composed.environment))
    const values = Object.fromEntries((container.env ?? []).map((one: any) => [one.name, one.value]))
    const { terminationGracePeriodSeconds } = kubernetes(service).spec.template.spec
    expect(terminationGracePeriodSeconds).toBeGreaterThan(needed + drainOf(values))
  })
})

test('only Postgres, migrations and operators get the password of the owner: Temporal has its own role', () => {
  const told = Object.entries(compose.services)
    .filter(([, service]) => JSON.stringify(service).includes('${POSTGRES_PASSWORD'))
    .map(([name]) => name)
  expect(told.toSorted()).toEqual(['migrate', 'postgres', 'sluice'])
  const { environment, depends_on: after } = compose.services['temporal']
  expect(environment).toMatchObject({ POSTGRES_USER: 'temporal', SKIP_DB_CREATE: 'true' })
  expect(environment['POSTGRES_PWD']).toContain('TEMPORAL_PASSWORD')
  const databases = [environment['DBNAME'], environment['VISIBILITY_DBNAME']]
  expect(databases).toEqual(Object.keys(TEMPORAL_DATABASES))
  expect(after).toEqual({ migrate: { condition: 'service_completed_successfully' } })
  const { server } = parse(read('ops/kubernetes/temporal/values.yaml'), { merge: true })
  const stores = Object.values(server.config.persistence.datastores) as { sql: Record<string, unknown> }[]
  expect(stores.map(({ sql }) => sql['user'])).toEqual(['temporal', 'temporal'])
  expect(stores.map(({ sql }) => sql['databaseName'])).toEqual(databases)
})

test('migrations are the same job in both, with the URLs of the owner and every role', () => {
  const [container] = kubernetes('migrate').spec.template.spec.containers
  expect(container.command).toEqual(compose.services['migrate'].command)
  const urls = Object.keys(compose.services['migrate'].environment).filter((name) =>
    name.endsWith('DATABASE_URL'),
  )
  expect(urls.length).toBe(9)
  expect(
    secrets('owner')
      .filter((line) => /DATABASE_URL=/.test(line))
      .map(nameOf)
      .toSorted(),
  ).toEqual(urls.toSorted())
})

test('only the processes that need them get the URL of the owner and the keys of credentials', () => {
  for (const service of ['api', 'gateway', 'worker'])
    expect(compose.services[service].environment).not.toHaveProperty('DATABASE_URL')
  for (const service of ['api', 'gateway'])
    expect(compose.services[service].environment).not.toHaveProperty('EXCHANGE_KEYS')
  expect(
    settings.filter((line) => /_(KEYS?|SECRETS?|TOKEN|PASSWORD|PEPPER|HEADERS|DATABASE_URL)=/.test(line)),
  ).toEqual([])
})

test('every third-party image is pinned', () => {
  const images = Object.values(compose.services).map(({ image }) => image as string)
  for (const image of images.filter((name) => name !== 'sluice')) expect(image).toMatch(/:v?\d+[\w.-]*$/)
})

test('Prometheus scrapes the metrics port of the image', () => {
  expect(read('Dockerfile')).toMatch(/METRICS_PORT=9464\b/)
  for (const { port } of (parse(read('ops/prometheus/prometheus.yml')) as any).scrape_configs.flatMap(
    (job: any) => job.dns_sd_configs,
  ))
    expect(port).toBe(9464)
})

test('Prometheus tells the Alertmanager of its profile, and each of its alerts links a runbook', () => {
  const { alerting, rule_files } = parse(read('ops/prometheus/prometheus.yml')) as any
  const [{ dns_sd_configs }] = alerting.alertmanagers
  expect(dns_sd_configs[0]).toMatchObject({ names: ['alertmanager'], port: 9093 })
  expect(compose.services['alertmanager'].profiles).toEqual(compose.services['prometheus'].profiles)
  expect(rule_files).toEqual(['alerts.yml'])
  const runbooks = new Set(
    [...read('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name!.toLowerCase()),
  )
  const rules = (parse(read('ops/prometheus/alerts.yml')) as any).groups.flatMap((group: any) => group.rules)
  expect(rules.length).toBeGreaterThan(20)
  for (const { alert, annotations } of rules) {
    expect([alert, annotations.runbook]).toEqual([alert, `docs/runbooks.md#${alert.toLowerCase()}`])
    expect([alert, runbooks.has(alert.toLowerCase())]).toEqual([alert, true])
  }
})
