import type { Command } from './command.ts'

/** Every sub-command of `sluice`. A command is one file and one line here. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    usage: '',
    help: 'set up and run everything; Ctrl-C stops it',
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'test',
    usage: '[vitest arguments]',
    help: 'run the tests with the services they need',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'test-whole',
    usage: '[vitest arguments]',
    help: 'start the whole of it and ask every endpoint; take an area out and check what is left',
    load: () => import('./commands/test-whole.ts'),
  },
  {
    name: 'test-crash',
    usage: '',
    help: 'kill each part at seeded moments and compare what is left',
    load: () => import('./commands/test-crash.ts'),
  },
  {
    name: 'test-oracles',
    usage: '',
    help: 'compare with independent implementations',
    load: () => import('./commands/test-oracles.ts'),
  },
  {
    name: 'test-long',
    usage: '[vitest arguments]',
    help: 'a thousand random sequences and histories for each property of the accounting',
    load: () => import('./commands/test-long.ts'),
  },
  {
    name: 'check',
    usage: '',
    help: 'format, lint, types, unused code, workflow bundle, generated files',
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'bench',
    usage: 'NAME [--json]',
    help: 'run one benchmark: read, ingest, chain, pl, gateway, news-coins, cross-venue',
    load: () => import('./commands/bench.ts'),
  },
  {
    name: 'schema',
    usage: '',
    help: 'write db/schema.sql from the migrations',
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'migrate',
    usage: '',
    help: 'bring DATABASE_URL to the newest schema (npm start does it by itself)',
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'openapi',
    usage: '',
    help: 'write docs/openapi.json from the route table',
    load: () => import('./commands/openapi.ts'),
  },
  {
    name: 'accounts',
    usage: 'create|set-plan|degen|list [options]',
    help: 'accounts and their plans',
    load: () => import('./commands/accounts.ts'),
  },
  {
    name: 'keys',
    usage: 'create|list|revoke --account ACCOUNT [options]',
    help: 'API keys of an account',
    load: () => import('./commands/keys.ts'),
  },
  {
    name: 'shares',
    usage: 'create|list PORTFOLIO, rotate|revoke SHARE',
    help: 'links that show a portfolio to whoever has them',
    load: () => import('./commands/shares.ts'),
  },
  {
    name: 'pay',
    usage: 'PATH [--sharetoken TOKEN] [--passcode 123456] [--json]',
    help: 'pay for one call at the gateway with test money, and show what it brought',
    load: () => import('./commands/pay.ts'),
  },
  {
    name: 'sessions',
    usage: 'revoke TRANSACTION|PAYER',
    help: 'end what was bought at the gateway for an hour',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'payments',
    usage: 'list|show [ID] [options]',
    help: 'payments at the gateway: their states, amounts and transactions',
    load: () => import('./commands/payments.ts'),
  },
  {
    name: 'schedules',
    usage: 'list|pause|resume|trigger|backfill [ID]',
    help: 'what Temporal starts on its own',
    load: () => import('./commands/schedules.ts'),
  },
  {
    name: 'sources',
    usage: '',
    help: 'which sources are on, and how they are',
    load: () => import('./commands/sources.ts'),
  },
  {
    name: 'news',
    usage: 'pick|unpick ID',
    help: 'put an article on the handpicked list, or take it off',
    load: () => import('./commands/news.ts'),
  },
  {
    name: 'prediction',
    usage: 'matches|confirm|reject [options]',
    help: 'markets of two venues that ask the same: list them, confirm or reject a pair',
    load: () => import('./commands/prediction.ts'),
  },
  {
    name: 'exchanges',
    usage: 'new-key|rotate-keys',
    help: 'keys that credentials of exchanges are encrypted under',
    load: () => import('./commands/exchanges.ts'),
  },
  {
    name: 'portfolios',
    usage: 'list|create|rename|method|delete|transactions|move|split|drop|movements|label [options]',
    help: 'portfolios of an account, and the transactions that were stated by hand',
    load: () => import('./commands/portfolios.ts'),
  },
  {
    name: 'import',
    usage: 'prices FILE',
    help: 'price points from a CSV file (coin_id,at,usd)',
    load: () => import('./commands/import-prices.ts'),
  },
]
