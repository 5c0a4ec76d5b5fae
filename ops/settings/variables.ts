import { ACCOUNT_PAGE, CREDENTIALS, METRICS, SHARED } from './pages.ts'
import { API, GATEWAY, MCP, WEBHOOKS } from './serving.ts'
import { AS_OF, EXPORTS, FACILITATOR, FOLLOW, ISSUER, NETWORKS, NODES, SANDBOX } from './ingest.ts'
import { INCIDENTS } from './incidents.ts'
import { DATABASE, INSTALLATION, TEMPORAL, TESTS } from './installation.ts'
import type { Section } from './variable.ts'

/**
 * All declared variables by heading of docs/configuration.md. Areas declare the variables of their sources.
 */
export const SECTIONS: Readonly<Record<string, Section>> = {
  Installation: INSTALLATION,
  Database: DATABASE,
  Temporal: TEMPORAL,
  API: API,
  Webhooks: WEBHOOKS,
  '`sluice mcp`': MCP,
  Gateway: GATEWAY,
  'Metrics, probes and traces': METRICS,
  Incidents: INCIDENTS,
  'OpenID provider and account page': ACCOUNT_PAGE,
  'Credentials of exchanges': CREDENTIALS,
  'Shared portfolios': SHARED,
  Networks: NETWORKS,
  'Followed networks': FOLLOW,
  'Answers of the past': AS_OF,
  Nodes: NODES,
  Exports: EXPORTS,
  Sandbox: SANDBOX,
  'Embedded facilitator': FACILITATOR,
  'Embedded OpenID provider': ISSUER,
  Tests: TESTS,
}

export const VARIABLES = {
  ...INSTALLATION,
  ...DATABASE,
  ...TEMPORAL,
  ...API,
  ...WEBHOOKS,
  ...MCP,
  ...GATEWAY,
  ...METRICS,
  ...INCIDENTS,
  ...ACCOUNT_PAGE,
  ...CREDENTIALS,
  ...SHARED,
  ...NETWORKS,
  ...FOLLOW,
  ...AS_OF,
  ...NODES,
  ...EXPORTS,
  ...SANDBOX,
  ...FACILITATOR,
  ...ISSUER,
  ...TESTS,
} as const
