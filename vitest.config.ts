import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

const services = ['test/setup/services.ts']

/** Properties that `npm test` tries on a sample; they ask test/setup/runs.ts how often. */
const random = [
  'test/export/export.db.test.ts',
  'test/metering/ledger.db.test.ts',
  'test/pnl/{bridges,conservation}.test.ts',
  'test/pnl/{bridges,corrections,fold,read,recompute}.db.test.ts',
  'test/portfolios/explain-random.db.test.ts',
  'test/gateway/payments-random.db.test.ts',
]

/**
 * unit: no services. db: one real Postgres, a database per file. browser: Postgres and a real Chromium. workflow:
 * Postgres and a Temporal server.
 * whole: the installation as its user has it, and what its first start makes, one file after the other.
 * crash: starts all parts itself, each file alone on the machine: one measures. oracle: the services of workflow.
 * chaos: the same with what goes wrong around them; the promises of docs/promises.md by number.
 * unit, db and workflow: a process loads the modules once for all its files; none of them keeps state.
 * long: the random ones of unit and db, many times.
 * Those after `workflow` have scripts of their own, such as `npm run test:whole`.
 */
export default defineConfig({
  test: {
    // One more than the cores it is made for: of a third of their time the tests wait.
    maxWorkers: 3,
    pool: 'forks',
    // A tenth of their time went into collecting what is young.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/setup/announce-realdata.ts'],
    setupFiles: ['test/setup/property-seed.ts'],
    // Patience, not a measure: so long may a machine that does something else as well take before a test is given up.
    expect: { poll: { timeout: 90_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{db,browser,workflow,whole,crash,chaos,oracle}.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['test/**/*.db.test.ts'],
          isolate: false,
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
