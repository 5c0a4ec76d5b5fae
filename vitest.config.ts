import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

const services = ['test/setup/services.ts']

/**
 * Property tests. test/setup/runs.ts sets the number of runs: few in `npm test`, many in `npm run test:long`.
 */
const random = [
  'test/defi/published/*.test.ts',
  'test/export/export.db.test.ts',
  'test/figures/kept-figures.db.test.ts',
  'test/follow/equality.db.test.ts',
  'test/metering/ledger.db.test.ts',
  'test/pnl/{bridges,conservation}.test.ts',
  'test/pnl/{bridges,corrections,currencies,fold,laws,order-of-entry,read,recompute,recompute-books}.db.test.ts',
  'test/portfolios/explain-random.db.test.ts',
  'test/gateway/payments-random.db.test.ts',
]

/** Threads that collect memory beside a file take their time from the files that run beside it. */
const execArgv = ['--single-threaded-gc']

/**
 * unit: no services. db: one real Postgres, a database per file. browser: Postgres and a real Chromium.
 * workflow: Postgres and a Temporal server. whole: a real installation and its first start, one file after
 * the other. clients: one real installation for all files. crash: starts all parts itself, one file at a
 * time, because one file measures. oracle: the same services as workflow. chaos: like crash, with faults
 * around the parts; its tests carry the numbers of docs/promises.md. live: doubles of real services that refuse
 * what those refuse, on a simulated clock. long: the property tests of unit and db, with many runs. unit, db and workflow load modules once per process for all files, because no module keeps
 * state. Projects after `workflow` have their own scripts, such as `npm run test:whole`.
 */
export default defineConfig({
  test: {
    // One more than the two cores, because tests spend a third of their time waiting.
    maxWorkers: 3,
    pool: 'forks',
    // With the default size, a tenth of the time went into collecting young objects.
    execArgv: ['--max-semi-space-size=64'],
    // Node runs TypeScript itself, so files need no transform by Vite in each project.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/setup/announce-realdata.ts'],
    setupFiles: ['test/setup/property-seed.ts'],
    // No test reads the installation of the developer, its settings and its keys.
    env: { SLUICE_HOME: join(tmpdir(), 'sluice-no-installation') },
    // Generous limits for a busy machine. They measure nothing.
    expect: { poll: { timeout: 90_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            // The peers of the benches bring packages whose tests are not ours.
            '**/node_modules/**',
            'test/**/*.{db,browser,workflow,whole,crash,chaos,live,oracle,clients}.test.ts',
          ],
          isolate: false,
          execArgv,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['test/**/*.db.test.ts'],
          isolate: false,
          execArgv,
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/**/*.browser.test.ts'],
          globalSetup: [...services, 'test/setup/chromium.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'workflow',
          include: ['test/**/*.workflow.test.ts'],
          isolate: false,
          execArgv,
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.whole.test.ts'],
          fileParallelism: false,
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['test/**/*.clients.test.ts'],
          fileParallelism: false,
          globalSetup: ['test/setup/chromium.ts', 'test/setup/installation.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: random,
          globalSetup: services,
          env: { LONG_RUNS: process.env['LONG_RUNS'] ?? '' },
          testTimeout: 7_200_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          include: ['test/**/*.crash.test.ts'],
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'chaos',
          include: ['test/**/*.chaos.test.ts'],
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'live',
          include: ['test/**/*.live.test.ts'],
          fileParallelism: false,
          globalSetup: services,
          testTimeout: 3_600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'oracle',
          include: ['test/**/*.oracle.test.ts'],
          globalSetup: services,
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
