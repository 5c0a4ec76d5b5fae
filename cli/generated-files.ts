import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storedProtocols } from '../activities/defi/stored-protocols.ts'
import { printClientTypes } from '../api/print-client-types.ts'
import { printOpenApi } from '../api/print-openapi.ts'
import { printNetworks } from '../db/chain/print-networks.ts'
import { printProtocols } from '../db/defi/print-protocols.ts'
import { printCliPage } from './cli-page.ts'
import { printConfiguration } from './configuration-page.ts'
import { printCoverage } from './coverage-page.ts'
import { COMMANDS } from './commands.ts'
import { printExchanges } from './exchanges-page.ts'
import { ROOT } from './folders.ts'
import { printManPage } from './man-page.ts'
import { printLive } from './live-page.ts'

const CONFIGURATION = 'docs/configuration.md'
const COVERAGE = 'docs/coverage.md'
const LIVE = 'docs/live.md'

const readPage = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

export interface GeneratedFile {
  /** Path from the folder of the project. */
  file: string
  print: () => string | Promise<string>
}

/** Committed files that are generated from the tables of routes, commands, settings, networks and protocols. */
export const GENERATED_FILES: readonly GeneratedFile[] = [
  { file: 'docs/openapi.json', print: printOpenApi },
  { file: 'clients/typescript/api-types.ts', print: printClientTypes },
  { file: 'docs/cli.md', print: () => printCliPage(COMMANDS) },
  { file: 'docs/sluice.1', print: () => printManPage(COMMANDS) },
  { file: CONFIGURATION, print: () => printConfiguration(readPage(CONFIGURATION)) },
  { file: LIVE, print: () => printLive(readPage(LIVE)) },
  { file: COVERAGE, print: () => printExchanges(printCoverage(readPage(COVERAGE))) },
  { file: 'db/chain/rows/1-networks.sql', print: printNetworks },
  { file: 'db/defi/rows/2-protocols.sql', print: () => printProtocols(storedProtocols()) },
]
