import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../cli/folders.ts'
import { TEMPORAL_DATABASES } from '../../cli/temporal/temporal-databases.ts'
import { VARIABLES } from '../../ops/settings/variables.ts'

// What containers are told is what the processes read, in docker-compose.yml and in ops/kubernetes alike.

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, any> }
const kubernetes = (name: string) => parseAllDocuments(read(`ops/kubernetes/base/${name}.yaml`))[0]!.toJS()
const settings = (parse(read('ops/kubernetes/base/kustomization.yaml')) as any).configMapGenerator[0]
  .literals as string[]
const secrets = (name: string) => read(`ops/kubernetes/secrets/${name}.env.example`).split('\n')
const nameOf = (line: string) => line.split('=', 1)[0]!

/**
 * Set by the image; of `npm start` and of those who write adapters; keys of a store for exports, which stand with those
 * of the sources.
 */
const NOT_PASSED =
  /^(METRICS_HOST|METRICS_PORT|WORKFLOW_CACHE|RECORD_DIR|INSTALLATION_ID|S3_ENDPOINT|AWS_.*)$/
/** Names of the variables that a process is declared to read. */
function variablesOf(service: 'api' | 'gateway' | 'worker'): string[] {
  const read = Object.entries(VARIABLES).filter(([, { readBy }]) =>
    readBy.split(', ').some((reader) => reader === service || reader === 'all'),
  )
  return read.map(([name]) => name).filter((name) => !NOT_PASSED.test(name))
}

describe.each(['api', 'gateway', 'worker'] as const)('%s', (service) => {
  const [container] = kubernetes(service).spec.template.spec.containers
  const env = ((container.env ?? []) as { name: string }[]).map(({ name }) => name)

  test('is passed every variable that it reads', () => {
    const wanted = variablesOf(service)
    expect(wanted.length).toBeGreaterThan(7)
    // Where exports go is a component's.
    const exports = service === 'worker' ? ['EXPORT_TO'] : []
    const inCluster = [...settings, ...secrets(service)].map(nameOf).concat(env, exports)
    expect(wanted.filter((name) => !(name in compose.services[service].environment))).toEqual([])
    expect(wanted.filter((name) => !inCluster.includes(name))).toEqual([])
  })

  test('is the same program in both, with an account and files that let it do nothing else', () => {
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

  test('is given as long to end as it takes', () => {
    const drainOf = (given: Record<string, string>) => Number(given['DRAIN_SECONDS'] ?? 0)
    // SHUTDOWN_MS of each, and the worker's shutdownForceTime.
    const needed = { api: 25, gateway: 40, worker: 10 }[service]
    const composed = compose.services[service]
    expect(parseInt(composed.stop_grace_period)).toBeGreaterThan(needed + drainOf(composed.environment))
    const values = Object.fromEntries((container.env ?? []).map((one: any) => [one.name, one.value]))
    const { terminationGracePeriodSeconds } = kubernetes(service).spec.template.spec
    expect(terminationGracePeriodSeconds).toBeGreaterThan(needed + drainOf(values))
  })
})

test('no server but the migrations and operators are told the password of the owner: Temporal has a role of its own', () => {
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

test('migrations are the same job in both, which knows the owner and every role', () => {
  const [container] = kubernetes('migrate').spec.template.spec.containers
  expect(container.command).toEqual(compose.services['migrate'].command)
  const urls = Object.keys(compose.services['migrate'].environment).filter((name) =>
    name.endsWith('DATABASE_URL'),
  )
  expect(urls.length).toBe(8)
  expect(
    secrets('owner')
      .filter((line) => /DATABASE_URL=/.test(line))
      .map(nameOf)
      .toSorted(),
  ).toEqual(urls.toSorted())
})

test('the owner and what opens credentials are known to those who need them alone', () => {
  for (const service of ['api', 'gateway', 'worker'])
    expect(compose.services[service].environment).not.toHaveProperty('DATABASE_URL')
  for (const service of ['api', 'gateway'])
    expect(compose.services[service].environment).not.toHaveProperty('EXCHANGE_KEYS')
  expect(
    settings.filter((line) => /_(KEYS?|SECRETS?|TOKEN|PASSWORD|PEPPER|HEADERS|DATABASE_URL)=/.test(line)),
  ).toEqual([])
})

test('each image of others is pinned', () => {
  const images = Object.values(compose.services).map(({ image }) => image as string)
  for (const image of images.filter((name) => name !== 'sluice')) expect(image).toMatch(/:v?\d+[\w.-]*$/)
})

test('what is scraped is what the image serves', () => {
  expect(read('Dockerfile')).toMatch(/METRICS_PORT=9464\b/)
  for (const { port } of (parse(read('ops/prometheus/prometheus.yml')) as any).scrape_configs.flatMap(
    (job: any) => job.dns_sd_configs,
  ))
    expect(port).toBe(9464)
})
