import type { Command } from './command.ts'
import { PACKED } from './folders.ts'
import { defineCommand } from './define-command.ts'
import { ALERTS } from './specs/alerts.ts'
import { ACCOUNTS, IDENTITIES, KEYS, PORTFOLIOS, SHARES } from './specs/accounts.ts'
import { REPORT } from './specs/report.ts'
import {
  BACKFILL,
  COLD,
  EXCHANGES,
  EXPORT,
  IMPORT,
  NEWS,
  PREDICTION,
  REBUILD,
  RECORD,
  SYNC,
} from './specs/data.ts'
import { CHECK, OPENAPI, PACKAGE, RELEASE, SCHEMA, SCREENSHOTS } from './specs/develop.ts'
import { PAY, PAYMENTS, SESSIONS } from './specs/money.ts'
import {
  COMPLETION,
  DATABASE,
  DOCTOR,
  DOWN,
  MCP,
  MIGRATE,
  SETUP,
  START,
  STOP,
  TOPOLOGY,
  UNINSTALL,
  UP,
} from './specs/run.ts'
import {
  EVENTS,
  INCIDENTS,
  LOGS,
  PLAN,
  QUARANTINE,
  SCHEDULES,
  STATUS,
  VERIFY,
  WORKERS,
  WORKFLOWS,
} from './specs/watch.ts'
import { SOURCES } from './specs/sources.ts'
import { SYSTEM, UPGRADE } from './specs/system.ts'
import { USERS } from './specs/users.ts'
import { WEBHOOKS } from './specs/webhooks.ts'

/** A command is a spec, a file and one line here. */
const ALL: readonly Command[] = [
  defineCommand(UP, () => import('./commands/up.ts')),
  defineCommand(DOWN, () => import('./commands/down.ts')),
  defineCommand(START, () => import('./commands/start.ts')),
  defineCommand(STOP, () => import('./commands/down.ts')),
  defineCommand(SETUP, () => import('./commands/setup.ts')),
  defineCommand(TOPOLOGY, () => import('./commands/topology.ts')),
  defineCommand(MIGRATE, () => import('./commands/migrate.ts')),
  defineCommand(UPGRADE, () => import('./commands/upgrade.ts')),
  defineCommand(DATABASE, () => import('./commands/database.ts')),
  defineCommand(UNINSTALL, () => import('./commands/uninstall.ts')),
  defineCommand(MCP, () => import('./commands/mcp.ts')),
  defineCommand(COMPLETION, () => import('./commands/completion.ts')),
  defineCommand(STATUS, () => import('./commands/status.ts')),
  defineCommand(DOCTOR, () => import('./commands/doctor.ts')),
  defineCommand(SOURCES, () => import('./commands/sources.ts')),
  defineCommand(INCIDENTS, () => import('./commands/incidents.ts')),
  defineCommand(PLAN, () => import('./commands/plan.ts')),
  defineCommand(SCHEDULES, () => import('./commands/schedules.ts')),
  defineCommand(WORKFLOWS, () => import('./commands/workflows.ts')),
  defineCommand(WORKERS, () => import('./commands/workers.ts')),
  defineCommand(LOGS, () => import('./commands/logs.ts')),
  defineCommand(QUARANTINE, () => import('./commands/quarantine.ts')),
  defineCommand(EVENTS, () => import('./commands/events.ts')),
  defineCommand(WEBHOOKS, () => import('./commands/webhooks.ts')),
  defineCommand(SYSTEM, () => import('./commands/system.ts')),
  defineCommand(VERIFY, () => import('./commands/verify.ts')),
  defineCommand(SYNC, () => import('./commands/sync.ts')),
  defineCommand(BACKFILL, () => import('./commands/backfill.ts')),
  defineCommand(REBUILD, () => import('./commands/rebuild.ts')),
  defineCommand(EXPORT, () => import('./commands/export.ts')),
  defineCommand(COLD, () => import('./commands/cold.ts')),
  defineCommand(IMPORT, () => import('./commands/import-prices.ts')),
  defineCommand(EXCHANGES, () => import('./commands/exchanges.ts')),
  defineCommand(NEWS, () => import('./commands/news.ts')),
  defineCommand(PREDICTION, () => import('./commands/prediction.ts')),
  defineCommand(RECORD, () => import('./commands/record.ts')),
  defineCommand(ACCOUNTS, () => import('./commands/accounts.ts')),
  defineCommand(KEYS, () => import('./commands/keys.ts')),
  defineCommand(IDENTITIES, () => import('./commands/identities.ts')),
  defineCommand(USERS, () => import('./commands/users.ts')),
  defineCommand(PORTFOLIOS, () => import('./commands/portfolios.ts')),
  defineCommand(REPORT, () => import('./commands/report.ts')),
  defineCommand(ALERTS, () => import('./commands/alerts.ts')),
  defineCommand(SHARES, () => import('./commands/shares.ts')),
  defineCommand(PAY, () => import('./commands/pay.ts')),
  defineCommand(PAYMENTS, () => import('./commands/payments.ts')),
  defineCommand(SESSIONS, () => import('./commands/sessions.ts')),
  {
    name: 'test',
    usage: '[vitest arguments]',
    help: 'run the fast test suites with the services they need',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'test-whole',
    usage: '[vitest arguments]',
    help: 'start a whole installation and call every endpoint; take an area out and check the rest',
    load: () => import('./commands/test-whole.ts'),
  },
  {
    name: 'test-crash',
    usage: '',
    help: 'kill each part at seeded moments and compare the data that remains',
    load: () => import('./commands/test-crash.ts'),
  },
  {
    name: 'test-chaos',
    usage: '[vitest arguments]',
    help: 'test the promises of docs/promises.md under faults of network, disk, clock and memory',
    load: () => import('./commands/test-chaos.ts'),
  },
  {
    name: 'test-live',
    usage: '[vitest arguments]',
    help: 'run a day against doubles of real services, within their free plans, and print what it took',
    load: () => import('./commands/test-live.ts'),
  },
  {
    name: 'test-oracles',
    usage: '',
    help: 'compare results with independent implementations',
    load: () => import('./commands/test-oracles.ts'),
  },
  {
    name: 'test-clients',
    usage: '[vitest arguments]',
    help: 'run programs written for the interface against an installation and print what worked',
    load: () => import('./commands/test-clients.ts'),
  },
  {
    name: 'test-long',
    usage: '[vitest arguments]',
    help: 'run a hundred to a thousand random sequences for each property of accounting and DeFi positions',
    load: () => import('./commands/test-long.ts'),
  },
  {
    name: 'test-mutations',
    usage: '[--seed N] [--count N]',
    help: 'change one line of an area at a time and list the changes that no test notices',
    load: () => import('./commands/test-mutations.ts'),
  },
  defineCommand(CHECK, () => import('./commands/check.ts')),
  {
    name: 'bench',
    usage: 'NAME [--json]',
    help: 'run one of the benchmarks in test/bench, such as read, chain, areas, pages or news-coins',
    load: () => import('./commands/bench.ts'),
  },
  defineCommand(SCHEMA, () => import('./commands/schema.ts')),
  defineCommand(OPENAPI, () => import('./commands/openapi.ts')),
  defineCommand(PACKAGE, () => import('./commands/package.ts')),
  defineCommand(RELEASE, () => import('./commands/release.ts')),
  defineCommand(SCREENSHOTS, () => import('./commands/screenshots.ts')),
]

/** Every sub-command of `sluice`, in the order of the help. Those for developers need a clone. */
export const COMMANDS = ALL.filter(({ spec }) => !PACKED || (spec !== undefined && spec.group !== 'develop'))
